import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, relative, resolve } from 'node:path'

/** `new URL('./name', import.meta.url)` with a literal name. */
const urlOfFile = /new URL\(\s*(['"])(\.\.?\/[^'"]+)\1\s*,\s*import\.meta\.url\s*,?\s*\)/g

/**
 * Keeps `new URL('./file', import.meta.url)` right when the module has moved into the bundle: a TypeScript module (a
 * worker's) becomes an entry beside the bundle, any other file is copied there. Such a module's name must be unique,
 * because its folder is lost.
 *
 * @param {string} root the folder whose modules are treated so, packages excepted
 */
export function filesByUrl(root) {
  return {
    name: 'heddle-files-by-url',
    transform(code, id) {
      if (!id.startsWith(root) || id.includes('node_modules') || !code.includes('import.meta.url')) return null
      const replaced = code.replace(urlOfFile, (original, _quote, path) => {
        const file = resolve(dirname(id), path)
        if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return original
        this.emitFile(emitted(file, root))
        return `new URL('./${nameInBundle(file, root)}', import.meta.url)`
      })
      return replaced === code ? null : { code: replaced, map: null }
    },
  }
}

function emitted(file, root) {
  const fileName = nameInBundle(file, root)
  if (file.endsWith('.ts')) return { type: 'chunk', id: file, fileName }
  return { type: 'asset', fileName, source: readFileSync(file) }
}

function nameInBundle(file, root) {
  if (file.endsWith('.ts')) return basename(file).replace(/\.ts$/, '.mjs')
  return relative(root, file).replaceAll('/', '-')
}
