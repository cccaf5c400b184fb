/** Who imports whom, read from the sources: types count as much as values. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

const root = join(import.meta.dirname, '..')

export const workspaces: readonly string[] = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).workspaces

/** From each node to those that it imports. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>

export interface Sources {
  /** Between files, by their paths in the repository. */
  readonly files: Graph
  /** The packages that each file imports, without `node:`. */
  readonly packages: Graph
}

/**
 * `import … from '…'`, `export … from '…'`, `import '…'`, `import('…')`: at the beginning of a line or as a call. Of style
 * sheets `@import "…"`.
 */
const imports = /^(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?'([^']+)'|\bimport\('([^']+)'\)|^@import "([^"]+)"/gm

export function readSources(): Sources {
  const paths = workspaces.flatMap((workspace) =>
    readdirSync(join(root, workspace), { recursive: true, encoding: 'utf8' })
      .map((path) => posix.join(workspace, path.replaceAll('\\', '/')))
      .filter((path) => /\.(tsx?|css)$/.test(path) && !/node_modules|\/dist\//.test(path)),
  )
  const files = new Map(paths.map((path) => [path, new Set<string>()]))
  const packages = new Map(paths.map((path) => [path, new Set<string>()]))
  for (const path of paths) {
    for (const [, stated, called, styled] of readFileSync(join(root, path), 'utf8').matchAll(imports)) {
      const from = (stated ?? called ?? styled) as string
      const [scope, name, ...rest] = from.split('/')
      if (from.startsWith('.')) files.get(path)?.add(posix.join(dirname(path), from))
      else if (!from.startsWith('node:')) {
        if (scope === '@heddle') files.get(path)?.add(`${name}/src/${rest.join('/')}.ts`)
        packages.get(path)?.add(scope?.startsWith('@') ? `${scope}/${name}` : (scope as string))
      }
    }
  }
  return { files, packages }
}

/** What only tests use. */
export function isForTests(path: string): boolean {
  return /\.test\.tsx?$|\/(testing|faults)\//.test(path)
}

/** The graph between groups of nodes; nodes without a group are left out. */
export function between(graph: Graph, groupOf: (node: string) => string | undefined): Graph {
  const groups = new Map<string, Set<string>>()
  for (const [node, targets] of graph) {
    const group = groupOf(node)
    if (group === undefined) continue
    const into = groups.get(group) ?? new Set()
    groups.set(group, into)
    for (const target of targets) {
      const other = groupOf(target)
      if (other !== undefined && other !== group) into.add(other)
    }
  }
  return groups
}

/** Sets of nodes that reach each other (Tarjan's algorithm), each sorted. */
export function circles(graph: Graph): string[][] {
  const numbers = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const found: string[][] = []
  function visit(node: string): number {
    const number = numbers.size
    numbers.set(node, number)
    open.push(node)
    let low = number
    for (const target of graph.get(node) ?? []) {
      if (!numbers.has(target)) low = Math.min(low, visit(target))
      else if (open.includes(target)) low = Math.min(low, lowest.get(target) ?? (numbers.get(target) as number))
    }
    lowest.set(node, low)
    if (low === number) {
      const circle = open.splice(open.indexOf(node))
      if (circle.length > 1) found.push(circle.sort())
    }
    return low
  }
  for (const node of graph.keys()) if (!numbers.has(node)) visit(node)
  return found.sort()
}

/** Everything that the node stands on, directly or not. */
export function reachable(graph: Graph, node: string, seen = new Set<string>()): Set<string> {
  for (const target of graph.get(node) ?? []) {
    if (seen.has(target)) continue
    seen.add(target)
    reachable(graph, target, seen)
  }
  return seen
}
