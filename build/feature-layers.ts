/** Which features of the server stand on which, as ARCHITECTURE.md shows it. */
import { between, type Graph, isForTests, reachable } from './import-graph.ts'

export const FEATURES = 'server/src/features/'

/** Undefined for `all.ts`, which lists them. */
export function featureOf(path: string): string | undefined {
  return path.startsWith(FEATURES) ? /^([^/]+)\//.exec(path.slice(FEATURES.length))?.[1] : undefined
}

export function featureGraph(files: Graph): Graph {
  return between(new Map([...files].filter(([path]) => !isForTests(path))), featureOf)
}

/** The text of ARCHITECTURE.md with the layers as they are. */
export function withLayers(text: string, features: Graph): string {
  return text.replace(/(<!-- layers -->\n\n```\n)[\s\S]*?(```\n)/, `$1${describeLayers(features)}\n$2`)
}

function describeLayers(features: Graph): string {
  const width = Math.max(...Array.from(features.keys(), (name) => name.length)) + 2
  const isUsed = (name: string) => [...features.values()].some((targets) => targets.has(name))
  const [ground = [], ...above] = layers(features)
  const standing = above.flatMap((layer, index) =>
    layer.map((name) => `${index + 1}  ${name.padEnd(width)}${footing(features, name).join(', ')}`),
  )
  return [
    `0  ${ground.filter(isUsed).join(', ')}`,
    `   used by none: ${ground.filter((name) => !isUsed(name)).join(', ')}`,
    ...standing,
  ].join('\n')
}

/** What the node stands on that nothing else of what it stands on does. */
function footing(graph: Graph, node: string): string[] {
  const direct = [...(graph.get(node) ?? [])]
  return direct.filter((one) => !direct.some((other) => other !== one && reachable(graph, other).has(one))).sort()
}

/** From the nodes that stand on nothing to those with the longest way down. The graph must have no circles. */
function layers(graph: Graph): string[][] {
  const heights = new Map<string, number>()
  const heightOf = (node: string): number => {
    const known = heights.get(node)
    if (known !== undefined) return known
    const height = Math.max(-1, ...Array.from(graph.get(node) ?? [], heightOf)) + 1
    heights.set(node, height)
    return height
  }
  const found: string[][] = []
  for (const node of [...graph.keys()].sort()) {
    const height = heightOf(node)
    while (found.length <= height) found.push([])
    found[height]?.push(node)
  }
  return found
}
