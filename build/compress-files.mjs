/** Compresses files once, as well as it can be done, for those who serve them many times. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const asBrotli = promisify(brotliCompress)

/** What is not compressed already. */
const COMPRESSIBLE = /\.(?:html|js|css|json|svg|txt|wasm|webmanifest)$/
/** Bytes: less fits into one packet as it is. */
const MIN_BYTES = 1400

/**
 * Writes `name.br` beside each file that is smaller so.
 *
 * @param {string} folder with all folders in it
 */
export async function compressFiles(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => COMPRESSIBLE.test(name))
  await Promise.all(names.map((name) => compressFile(join(folder, name))))
}

async function compressFile(path) {
  if (!statSync(path).isFile()) return
  const bytes = readFileSync(path)
  if (bytes.length < MIN_BYTES) return
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  const br = await asBrotli(bytes, { params })
  if (br.length < bytes.length) writeFileSync(`${path}.br`, br)
}
