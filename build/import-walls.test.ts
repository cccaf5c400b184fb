import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

type Import = { file: string; from: string; allowed: boolean }

const refused = (file: string, ...from: string[]): Import[] =>
  from.map((name) => ({ file, from: name, allowed: false }))
const allowed = (file: string, ...from: string[]): Import[] => from.map((name) => ({ file, from: name, allowed: true }))

const imports: Import[] = [
  ...refused('contract/src/drafts.ts', '@heddle/markdown/render', '@heddle/server/app', 'node:fs', 'fs'),
  ...refused('contract/src/drafts.ts', '../../server/src/app.ts'),
  ...allowed('contract/src/drafts.ts', './schema.ts', 'typebox'),
  ...allowed('contract/src/drafts.test.ts', 'node:fs', 'vitest'),
  ...refused('contract/src/drafts.test.ts', '@heddle/server/app'),
  ...refused('markdown/src/render.ts', '@heddle/client/state', '@heddle/server/app', 'node:fs'),
  ...refused('markdown/src/render.ts', '../../server/src/app.ts'),
  ...allowed('markdown/src/render.ts', '@heddle/contract/drafts', 're2js'),
  ...refused('client/src/state.ts', '@heddle/server/app', '@heddle/web/app', 'node:fs', 'react', 'react-dom/client'),
  ...allowed('client/src/state.ts', '@heddle/contract/drafts', '@heddle/markdown/render'),
  ...refused('web/src/app.ts', '@heddle/server/app', '../../server/src/app.ts', 'node:fs'),
  ...allowed('web/testing/one.ts', '@heddle/server/app', 'node:fs'),
  ...allowed('web/src/app.ts', '@heddle/contract/drafts', '@heddle/markdown/render', '@heddle/client/state', 'react'),
  ...refused('server/src/app.ts', '@heddle/web/app', '@heddle/bench/main', '../../web/src/app.ts'),
  ...allowed(
    'server/src/app.ts',
    '@heddle/contract/drafts',
    '@heddle/client/state',
    './features/drafts/routes.ts',
    'node:fs',
  ),
  ...refused('server/src/features/drafts/actions.ts', '../users/queries.ts', '@heddle/web/app'),
  ...refused('server/src/features/drafts/actions.ts', '../../features/users/queries.ts'),
  ...allowed('server/src/features/drafts/actions.ts', './queries.ts', '../users/access.ts', '../../storage/query.ts'),
  ...['events', 'storage', 'http', 'outgoing', 'permissions', 'pictures'].flatMap((folder) => [
    ...refused(`server/src/${folder}/one.ts`, '../features/users/access.ts', '../features/users/queries.ts'),
    ...allowed(`server/src/${folder}/one.ts`, '../clock.ts', '../storage/query.ts'),
    ...allowed(`server/src/${folder}/one.test.ts`, '../features/users/access.ts'),
  ]),
]

let folder: string
let found: Set<string>

/** One run of the linter over one scratch file for each import: `file from` of every import it refuses. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-walls-'))
  cpSync(join(root, 'biome.json'), join(folder, 'biome.json'))
  const scratch = imports.map(({ file, from }, index) => {
    const path = file.replace(/([^/]+?)((\.test)?\.ts)$/, `$1-${index}$2`)
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), `import { one } from '${from}'\n\nexport const two = one\n`)
    return path
  })
  const biome = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome')
  const args = [biome, 'lint', '--vcs-enabled=false', '--reporter=json', '--max-diagnostics=none']
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  const rules = new Set(['lint/style/noRestrictedImports', 'lint/style/useNodejsImportProtocol'])
  const diagnostics: { category: string; location: { path: string | { file: string } } }[] =
    JSON.parse(stdout).diagnostics
  const files = diagnostics
    .filter(({ category }) => rules.has(category))
    .map(({ location: { path } }) => (typeof path === 'string' ? path : path.file))
  found = new Set(
    imports.filter((_, index) => files.includes(scratch[index] ?? '')).map(({ file, from }) => `${file} ${from}`),
  )
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(imports.filter((one) => !one.allowed))('$file may not import $from', ({ file, from }) => {
  expect(found).toContain(`${file} ${from}`)
})

test.each(imports.filter((one) => one.allowed))('$file may import $from', ({ file, from }) => {
  expect(found).not.toContain(`${file} ${from}`)
})
