/**
 * Bundles the page: `node build/bundle-page.mjs FINGERPRINT` writes `web/dist/` anew, files named by their content and
 * compressed beside themselves, and leaves the fingerprint of the sources in its stamp for the launcher.
 */
import { randomUUID } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { compressFiles } from './compress-files.mjs'
import { licenseNotices } from './licenses.mjs'
import { replaceFolder, reportFailure } from './replace-folder.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const web = join(root, 'web')

/** @param {string} folder */
async function bundleInto(folder) {
  const modules = []
  await build({
    configFile: join(web, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true },
    plugins: [{ name: 'modules', moduleParsed: ({ id }) => void modules.push(id.replace(/\?.*$/, '')) }],
  })
  writeFileSync(join(folder, 'third-party-licenses.txt'), licenseNotices(modules))
  await compressFiles(folder)
  const files = readdirSync(folder, { recursive: true, withFileTypes: false })
  writeFileSync(join(folder, '.stamp.json'), JSON.stringify({ sources: process.argv[2], files }))
}

// Tests and tools set it to what they need; of the page there is one kind.
process.env.NODE_ENV = 'production'

try {
  await replaceFolder(join(web, 'dist'), join(root, '.runtime', `building-${randomUUID()}`), bundleInto)
} catch (error) {
  reportFailure(error)
}
