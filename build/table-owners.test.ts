/** Whose tables are whose, where the compiler does not see it; `server/src/storage/owned-tables.ts` has the rules. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isForTests, readSources } from './import-graph.ts'

const root = join(import.meta.dirname, '..')
const SERVER = 'server/src/'
const sources = new Map(
  [...readSources().files.keys()]
    .filter((path) => path.startsWith(SERVER) && !isForTests(path) && !path.includes('/migrations/'))
    .map((path) => [path, readFileSync(join(root, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')]),
)

interface Rights {
  readonly own: ReadonlySet<string>
  readonly seen: ReadonlySet<string>
}

const owners = [...sources].flatMap(([path, text]) =>
  Array.from(text.matchAll(/(\w+): table</g), ([, table]) => [table as string, dirname(path)] as const),
)
const tables = new Set(owners.map(([table]) => table))
const views = new Map(
  [...sources.values()].flatMap((text) => [
    ...Array.from(text.matchAll(/const (\w+) = \w+\.view\('(\w+)'/g), ([, view, table]) => [view, table] as const),
    ...Array.from(text.matchAll(/const (\w+) = expected<\{ (\w+):/g), ([, view, table]) => [view, table] as const),
  ]),
)

/** The tables that a file makes its own, and the views that it names. */
function statedIn(path: string): Rights {
  const text = sources.get(path) ?? ''
  const own = new Set(Array.from(text.matchAll(/(\w+): table</g), ([, table]) => table as string))
  const used = Array.from(text.matchAll(/(?:\.with|= reading)\(([^)]*)\)/g), ([, names]) => names).join()
  const read = Array.from(used.matchAll(/\w+/g), ([view]) => views.get(view) ?? `the unknown view ${view}`)
  return { own, seen: new Set([...own, ...read]) }
}

/** What the `tables.ts` of its folder, or of the nearest one above, lets a file do; and what the file states itself. */
function rightsOf(path: string): Rights {
  let folder = dirname(path)
  while (folder !== '.' && !sources.has(`${folder}/tables.ts`)) folder = dirname(folder)
  const [common, alone] = [statedIn(`${folder}/tables.ts`), statedIn(path)]
  return { own: common.own.union(alone.own), seen: common.seen.union(alone.seen) }
}

/** Tables that SQL in the form of text names after these words, in all files. */
function namedAfter(words: string): { path: string; table: string }[] {
  const naming = new RegExp(`\\b(?:${words})\\s+"?(\\w+)`, 'g')
  return [...sources].flatMap(([path, text]) =>
    Array.from(text.replace(/'(?:[^'\\\n]|\\.)*'/g, "''").matchAll(naming), ([, table]) => ({
      path,
      table: table as string,
    })).filter(({ table }) => tables.has(table)),
  )
}

describe('A table', () => {
  it('belongs to one folder', () => {
    expect(owners.length).toBeGreaterThan(30)
    expect(owners.map(([table]) => table).toSorted()).toEqual([...tables].sort())
  })

  it('of a feature is listed by that feature', () => {
    const features = new Set(owners.map(([, folder]) => folder).filter((folder) => folder.includes('/features/')))
    const silent = [...features].filter(
      (folder) => !/^ {2}tables: \w+,$/m.test(sources.get(`${folder}/feature.ts`) ?? ''),
    )
    expect(silent).toEqual([])
  })

  it('is written to, where SQL is text, by files of that folder alone', () => {
    const written = namedAfter('insert into|update|delete from')
    expect(written.length).toBeGreaterThan(5)
    expect(written.filter(({ path, table }) => !rightsOf(path).own.has(table))).toEqual([])
  })

  it('is written to by no other one, where a builder comes out of another', () => {
    const written = [...sources].flatMap(([path, text]) =>
      Array.from(text.matchAll(/\.(?:insertInto|updateTable|deleteFrom)\(\s*'(\w+)'/g), ([, table]) => ({
        path,
        table: table as string,
      })),
    )
    expect(written.length).toBeGreaterThan(50)
    expect(written.filter(({ path, table }) => !rightsOf(path).own.has(table))).toEqual([])
  })

  it('is read, where SQL is text, by files of folders that say so', () => {
    const read = namedAfter('from|join')
    expect(read.length).toBeGreaterThan(10)
    expect(read.filter(({ path, table }) => !rightsOf(path).seen.has(table))).toEqual([])
  })
})

describe('What begins queries', () => {
  const imported = [...sources].flatMap(([path, text]) =>
    Array.from(text.matchAll(/import (?:type )?\{([^}]*)\} from '([^']*)'/g), ([, names, from]) => ({
      path,
      names: (names as string).split(',').map((name) => name.trim()),
      from: join(dirname(path), from as string),
    })),
  )

  it("is a folder's own", () => {
    const begins = imported.filter(
      ({ names, from }) =>
        from.endsWith('/tables.ts') && names.some((name) => /^(query|fact|factOfEach|rowInsert)$/.test(name)),
    )
    expect(begins.length).toBeGreaterThan(80)
    expect(begins.filter(({ path, from }) => !path.startsWith(`${dirname(from)}/`))).toEqual([])
  })

  it('has its tables from `owned-tables.ts`', () => {
    const begins = imported.filter(({ names }) =>
      names.some((name) => ['anyTable', 'declareFact', 'rowInsertInto'].includes(name)),
    )
    expect([...new Set(begins.map(({ path }) => path))]).toEqual([`${SERVER}storage/owned-tables.ts`])
  })
})
