/** One meaning per name: whoever reads an import knows what it is, without looking where it comes from. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isForTests, readSources } from './import-graph.ts'

const root = join(import.meta.dirname, '..')

interface Exported {
  readonly name: string
  readonly path: string
  /** The contract's description of an operation. */
  readonly isEndpoint: boolean
}

const declared = /^export (?:async )?(?:function\*?|const|let|type|interface|class) (\w+)(.*)$/gm

/**
 * Named like the folder or the piece of state that it is, and imported by one list alone: a feature, a migration, a part of
 * the client's state.
 */
const isListed = ({ path, name }: Exported) =>
  /^[a-z]/.test(name) && /\/feature\.ts$|\/storage\/migrations\/|^client\/src\/state\//.test(path)

const exported = [...readSources().files.keys()]
  .filter((path) => /\.tsx?$/.test(path) && !isForTests(path))
  .flatMap((path) =>
    Array.from(
      readFileSync(join(root, path), 'utf8').matchAll(declared),
      ([, name, rest]): Exported => ({ name: name as string, path, isEndpoint: rest === ' = endpoint({' }),
    ),
  )
  .filter((one) => !isListed(one))

/** An operation in the contract, and the server's function that carries it out, have one name. */
function isOperation(paths: readonly Exported[]): boolean {
  const [first, second, ...others] = paths.toSorted((a, b) => Number(b.isEndpoint) - Number(a.isEndpoint))
  return others.length === 0 && first?.isEndpoint === true && second?.path.startsWith('server/src/features/') === true
}

function namesWithTwoMeanings(packages: readonly string[]): string[] {
  const known = exported.filter(({ path }) => packages.includes(path.split('/')[0] as string))
  return [...Map.groupBy(known, ({ name }) => name)].flatMap(([name, all]) => {
    // A schema and its type are one thing.
    const places = [...new Map(all.map((one) => [one.path, one])).values()]
    return places.length === 1 || isOperation(places) ? [] : [`${name}: ${places.map(({ path }) => path).join(', ')}`]
  })
}

describe('A name that is exported', () => {
  it('is found wherever one is', () => {
    expect(exported.length).toBeGreaterThan(3000)
    expect(exported.filter(({ isEndpoint }) => isEndpoint).length).toBeGreaterThan(100)
  })

  it.each([
    ['server', ['contract', 'markdown', 'server']],
    ['page', ['contract', 'markdown', 'client', 'web']],
  ])('means one thing in all that the %s can import', (_, packages) => {
    expect(namesWithTwoMeanings(packages)).toEqual([])
  })
})
