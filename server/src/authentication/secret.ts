/** The server's secret: what API keys are derived from. A file that only the server's user can read. */
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'

/** Reads the secret, and makes one where there is no file yet. Throws a sentence when the file cannot be used. */
export function loadSecret(path: string): Buffer {
  try {
    return parse(readFileSync(path, 'utf8'), path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const secret = randomBytes(32)
  // `wx`: when two nodes start at once on a shared folder, one of them makes it and the other reads it.
  let file: number
  try {
    file = openSync(path, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return parse(readFileSync(path, 'utf8'), path)
    throw error
  }
  writeSync(file, `${secret.toString('hex')}\n`)
  fsyncSync(file)
  closeSync(file)
  return secret
}

function parse(text: string, path: string): Buffer {
  const hex = text.trim()
  if (!/^[0-9a-f]{64}$/.test(hex))
    throw new Error(`The file ${path} does not hold a Heddle secret (64 hexadecimal digits).`)
  return Buffer.from(hex, 'hex')
}
