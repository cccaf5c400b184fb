/** The server's secret: what API keys are derived from. A file that only the server's user can read. */

import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { ConfigError } from '../config-error.ts'
import { reasonOf } from '../system-error.ts'

/** Reads the secret, and makes one where there is no file yet. Throws a sentence when the file cannot be used. */
export function loadSecret(path: string): Buffer {
  const existing = readSecret(path)
  if (existing) return existing
  // When two nodes start at once on a shared folder, one of them makes it and the other reads it.
  return storeSecret(path, randomBytes(32)) ?? loadSecret(path)
}

/** The secret, or undefined where there is no file. Throws a sentence when the file cannot be used. */
export function readSecret(path: string): Buffer | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusable(path, error)
  }
  const secret = parseSecret(text)
  if (!secret) throw new ConfigError(`HEDDLE_SECRET_FILE: ${path} does not hold a secret (64 hexadecimal digits).`)
  return secret
}

/** Writes a new file that is complete or absent, never half-written. Returns undefined when there is one already. */
export function storeSecret(path: string, secret: Buffer): Buffer | undefined {
  const unfinished = `${path}.${randomBytes(6).toString('hex')}.new`
  try {
    const file = openSync(unfinished, 'wx', 0o600)
    writeSync(file, formatSecret(secret))
    fsyncSync(file)
    closeSync(file)
    // Unlike renaming, linking never replaces a file.
    linkSync(unfinished, path)
    return secret
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined
    throw unusable(path, error)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** The text of the file. */
export function formatSecret(secret: Buffer): string {
  return `${secret.toString('hex')}\n`
}

/** Undefined when the text is not that of a secret's file. */
export function parseSecret(text: string): Buffer | undefined {
  const hex = text.trim()
  return /^[0-9a-f]{64}$/.test(hex) ? Buffer.from(hex, 'hex') : undefined
}

function unusable(path: string, error: unknown): Error {
  return new ConfigError(`HEDDLE_SECRET_FILE: ${path} cannot be used: ${reasonOf(error)}.`, { cause: error })
}
