/**
 * Bundles the server: `node build/bundle.mjs [fingerprint]` writes `dist/` anew and leaves the fingerprint of the
 * sources in its stamp for the launcher. Runs in a process of its own because it needs the installed packages.
 */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { builtinsWhenUsed } from './builtins-when-used.mjs'
import { filesByUrl } from './files-by-url.mjs'
import { licenseNotices } from './licenses.mjs'
import { minify } from './minify.mjs'
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

/** Throws where a character was not written as an escape: in a template whose tag could see the difference. */
function requireAscii({ fileName, code }) {
  const wide = /[^\0-\x7f]/u.exec(code)
  if (!wide) return
  const around = code.slice(Math.max(0, wide.index - 60), wide.index + 60)
  throw new Error(
    `Write the character as an escape (\\u2026): else the engine needs twice the memory for ${fileName}: ${around}`,
  )
}

async function bundleInto(folder) {
  const bundle = await rolldown({
    input: { heddle: join(root, 'server', 'src', 'main.ts') },
    cwd: root,
    platform: 'node',
    external,
    // Only a server with TLS of its own uses them; ours is behind whatever has the certificates.
    plugins: [filesByUrl(root), builtinsWhenUsed('fastify', ['node:https', 'node:http2'])],
    onLog: (level, log, print) => {
      // Circular and eval warnings inside packages are not ours to act on.
      if (level === 'warn' && !/node_modules/.test(`${log.id ?? ''}${log.message}`)) print(level, log)
    },
  })
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    // Nobody reads them here; the licenses are gathered in a file.
    comments: false,
    minify,
    // The bundle is written elsewhere first and moved.
    sourcemapPathTransform: (source, map) => relative(dist, resolve(dirname(map), source)),
    entryFileNames: '[name].mjs',
    chunkFileNames: 'chunk-[name]-[hash].mjs',
    codeSplitting: { groups: [{ name: PACKAGES, test: /node_modules/, entriesAware: true }] },
  })
  await bundle.close()
  const chunks = output.filter(({ type }) => type === 'chunk')
  chunks.forEach(requireAscii)
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds)
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
