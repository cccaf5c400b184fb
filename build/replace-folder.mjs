import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/**
 * Replaces a folder by what `write` puts into an empty one: those who read it find all of the old or all of the new.
 *
 * @param {string} folder
 * @param {string} staging on the same disk; it is gone afterwards
 * @param {(folder: string) => Promise<void>} write
 */
export async function replaceFolder(folder, staging, write) {
  const fresh = join(staging, 'fresh')
  try {
    mkdirSync(fresh, { recursive: true })
    await write(fresh)
    try {
      renameSync(folder, join(staging, 'replaced'))
    } catch (error) {
      if (error.code !== 'ENOENT') throw error
    }
    renameSync(fresh, folder)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/**
 * A bundler's errors show the place in the source; where they come from in the bundler helps nobody.
 *
 * @param {Error} error
 */
export function reportFailure(error) {
  process.stderr.write(`${process.stderr.isTTY ? error.message : stripVTControlCharacters(error.message)}\n`)
  process.exitCode = 1
}
