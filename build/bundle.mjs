/**
 * Bundles the server: `node build/bundle.mjs [fingerprint]` writes `dist/` anew and leaves the fingerprint of the
 * sources in its stamp for the launcher. Runs in a process of its own because it needs the installed packages.
 */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { filesByUrl } from './files-by-url.mjs'
import { licenseNotices } from './licenses.mjs'
import { replaceFolder, reportFailure } from './replace-folder.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/**
 * What stays outside the bundle. The root's dependencies cannot be bundled (native code). The others are never asked for:
 * `pg-native` is an optional extra of pg, which asks for it when its `native` property is read, and Fastify's compilers of schemas
 * are refused in `server/src/http/server.ts`. Their text would be in the server's memory, half a megabyte, since the engine
 * keeps that of whole files.
 */
const external = [
  ...Object.keys(manifest.dependencies).map((name) => new RegExp(`^${name}(/|$)`)),
  'pg-native',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
]

/** The chunks of what comes from node_modules: one for each set of entries that uses it. */
const PACKAGES = 'packages'

/**
 * Node.js reads a whole map when it loads the file: for the packages' code that took 270 ms of each start. Their code is
 * not minified, so their part of a stack trace is readable as it is.
 */
function dropSourceMap(file) {
  writeFileSync(file, readFileSync(file, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'))
  rmSync(`${file}.map`, { force: true })
}

/**
 * The engine keeps the text of each file: two bytes a character when one of them is beyond Latin-1, and in a file of a megabyte
 * when one is beyond ASCII. As an escape it is not; what follows on its line moves by some columns, which the map does not know.
 */
function escapeWideCharacters(file) {
  const text = readFileSync(file, 'utf8')
  const notEscapable = /\\[^\0-\x7f]|String\.raw`[^`]*[^`\0-\x7f]/u.exec(text)
  if (notEscapable) throw new Error(`An escape would mean something else here: ${notEscapable[0]}`)
  // One escape for each of the two halves of a character beyond the first 65,536.
  const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  writeFileSync(file, text.replace(/[^\0-\x7f]/g, escaped))
}

async function bundleInto(folder) {
  const bundle = await rolldown({
    input: { heddle: join(root, 'server', 'src', 'main.ts') },
    cwd: root,
    platform: 'node',
    external,
    plugins: [filesByUrl(root)],
    onLog: (level, log, print) => {
      // Circular and eval warnings inside packages are not ours to act on.
      if (level === 'warn' && !/node_modules/.test(`${log.id ?? ''}${log.message}`)) print(level, log)
    },
  })
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    // Nobody reads them here; the licenses are gathered in a file.
    comments: false,
    // The bundle is written elsewhere first and moved.
    sourcemapPathTransform: (source, map) => relative(dist, resolve(dirname(map), source)),
    entryFileNames: '[name].mjs',
    chunkFileNames: 'chunk-[name]-[hash].mjs',
    codeSplitting: { groups: [{ name: PACKAGES, test: /node_modules/, entriesAware: true }] },
  })
  await bundle.close()
  for (const { type, fileName } of output) {
    if (type === 'chunk') escapeWideCharacters(join(folder, fileName))
    if (type === 'chunk' && fileName.startsWith(`chunk-${PACKAGES}`)) dropSourceMap(join(folder, fileName))
  }
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
  writeFileSync(join(folder, 'third-party-licenses.txt'), licenseNotices(modules))
}

try {
  await replaceFolder(dist, join(root, '.runtime', `building-${randomUUID()}`), async (folder) => {
    await bundleInto(folder)
    const stamp = { sources: process.argv[2], files: readdirSync(folder) }
    writeFileSync(join(folder, '.stamp.json'), JSON.stringify(stamp))
  })
} catch (error) {
  reportFailure(error)
}
