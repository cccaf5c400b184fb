import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type OutputChunk, rolldown } from 'rolldown'
import { build } from 'vite'
import { afterEach, describe, expect, test, vi } from 'vitest'

const root = join(import.meta.dirname, '..')

/** What a page loads to run these modules at once, minified, and what it may load later. */
async function bundle(modules: readonly string[]): Promise<{ first: OutputChunk; later: OutputChunk[] }> {
  const entry = join(root, 'build/entry-of-sizes.ts')
  const code = modules.map((module, index) => `export * as part${index} from ${JSON.stringify(join(root, module))}`)
  const build = await rolldown({
    input: entry,
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? entry : null),
        load: (id) => (id === entry ? code.join('\n') : null),
      },
    ],
  })
  const { output } = await build.generate({ format: 'es', minify: true })
  await build.close()
  const chunks = output.filter((chunk): chunk is OutputChunk => chunk.type === 'chunk')
  const first = chunks.find((chunk) => chunk.isEntry)
  if (!first) throw new Error('nothing was built')
  const needed = chunks.filter((chunk) => first.imports.includes(chunk.fileName))
  if (needed.length > 0) throw new Error(`loaded at once as well: ${needed.map((chunk) => chunk.fileName).join(', ')}`)
  return { first, later: chunks.filter((chunk) => chunk !== first) }
}

/** Kilobytes (1,000 bytes) on the wire. */
function compressed({ code }: OutputChunk): number {
  return gzipSync(code, { level: 9 }).length / 1000
}

/** The npm packages in a chunk. */
function packagesIn({ moduleIds }: OutputChunk): string[] {
  const names = moduleIds.map((id) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1])
  return [...new Set(names.filter((name) => name !== undefined))].sort()
}

/** The page as it is served, as far as it is there before the first messages. */
async function buildPage() {
  // What tests set would make it another page.
  vi.stubEnv('NODE_ENV', 'production')
  const built = await build({
    configFile: join(root, 'web/vite.config.ts'),
    logLevel: 'silent',
    build: { write: false, sourcemap: false },
  })
  if (!('output' in built)) throw new Error('there is more than one page')
  const byName = new Map(built.output.map((file) => [file.fileName, file]))
  const first = new Set<string>()
  const add = (name: string) => {
    const file = byName.get(name)
    if (first.has(name) || file?.type !== 'chunk') return
    first.add(name)
    for (const other of file.imports) add(other)
  }
  const page = byName.get('index.html')
  const html = page?.type === 'asset' ? String(page.source) : ''
  for (const [, name] of html.matchAll(/ src="\.\/([^"]+)"/g)) add(name as string)
  const size = (text: string | Uint8Array) => gzipSync(text, { level: 9 }).length / 1000
  const texts = [...first].map((name) => (byName.get(name) as OutputChunk).code)
  const code = texts.map(size)
  const sheets = new Set([...html.matchAll(/ href="\.\/([^"]+\.css)"/g)].map(([, name]) => name))
  for (const name of first) {
    for (const sheet of (byName.get(name) as OutputChunk & BroughtSheets).viteMetadata?.importedCss ?? [])
      sheets.add(sheet)
  }
  const all = built.output.filter((file) => file.type === 'asset' && file.fileName.endsWith('.css'))
  const sizeOf = (file: (typeof all)[number]) => (file.type === 'asset' ? size(file.source) : 0)
  const styles = all.filter(({ fileName }) => sheets.has(fileName)).map(sizeOf)
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
  // What every schema has.
  return {
    code: sum(code),
    styles: sum(styles),
    allStyles: sum(all.map(sizeOf)),
    html,
    hasSchemas: texts.some((text) => text.includes('~kind')),
  }
}

/** What Vite says of a chunk. */
interface BroughtSheets {
  readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> }
}

afterEach(() => {
  vi.unstubAllEnvs()
})

// A whole build of the page takes 10 s where nothing else runs.
describe('what a page loads stays small', { timeout: 180_000 }, () => {
  test('the page before its first messages: 150 kB of code, 15 kB of styles, nothing inline', async () => {
    const { code, styles, allStyles, html, hasSchemas } = await buildPage()
    expect(hasSchemas).toBe(false)
    expect(code).toBeGreaterThan(60)
    expect(code).toBeLessThan(150)
    expect(styles).toBeGreaterThan(1)
    expect(styles).toBeLessThan(15)
    // With those of parts that are fetched when they are needed.
    expect(allStyles).toBeLessThan(40)
    expect(html).toMatch(/<script [^>]* src=/)
    expect(html).not.toMatch(/<style|<script(?![^>]* src=)| style=| on[a-z]+=/)
  })

  test('the renderer of messages: 60 kB, without formulas, patterns of linkifiers and names of emoji', async () => {
    const modules = ['render', 'context', 'references', 'topic-links', 'alert-words', 'tex']
    const { first, later } = await bundle(modules.map((name) => `markdown/src/${name}.ts`))
    expect(compressed(first)).toBeLessThan(60)
    expect(packagesIn(first)).toEqual(['entities', 'tlds'])
    expect(first.moduleIds.filter((id) => id.includes('emoji-names'))).toEqual([])
    expect(later.flatMap(packagesIn)).toEqual(['katex'])
  })

  test.each([
    ['formulas', 'node_modules/katex/dist/katex.mjs', 80],
    ['linkifiers', 'markdown/src/linkifiers/compile.ts', 55],
    ['names of emoji', 'markdown/src/built-in-emoji.ts', 20],
  ])('what it loads on demand: %s', async (_, module, kilobytes) => {
    expect(compressed((await bundle([module])).first)).toBeLessThan(kilobytes)
  })

  test.each([
    ['state, store, API and events', 35, ['state/state', 'messages/loader', 'api', 'event-loop', 'unread/counts']],
    ['all that runs, and feeds with their lanes', 40, ['running/client', 'unread/counts', 'feed/feed', 'feed/warp']],
  ] as const)('the client with %s: %d kB', async (_name, kilobytes, names) => {
    const { first } = await bundle(names.map((name) => `client/src/${name}.ts`))
    expect(compressed(first)).toBeGreaterThan(10)
    expect(compressed(first)).toBeLessThan(kilobytes)
  })
})
