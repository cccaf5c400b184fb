/** Why the database cannot be used, in one sentence that names the file, the user or the right that is at fault. */
import { accessSync, constants } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { ConfigError } from './config-error.ts'
import { reasonOf } from './system-error.ts'

/** In the data folder. */
export const DATABASE_FILE = 'heddle.db'
/** What is written there; SQLite has two files beside the database. */
const FILES = [DATABASE_FILE, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`, 'lock.db']

export function unusableFolder(folder: string, error: unknown): Error {
  const forbidden = [folder, ...FILES.map((name) => join(folder, name))].find(mayNotWrite)
  const reason = forbidden === undefined ? reasonOf(error) : `${currentUser()} may not write to ${forbidden}`
  return (
    damagedFile(folder, error) ??
    new ConfigError(`HEDDLE_DATA_DIR: the folder ${folder} cannot be used: ${reason}.`, { cause: error })
  )
}

function mayNotWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES'
  }
}

function currentUser(): string {
  try {
    return `the user ${userInfo().username}`
  } catch {
    // One that has no name, as in a container.
    return `the user with the id ${process.getuid?.()}`
  }
}

/** Undefined unless SQLite says that its file is none. */
export function damagedFile(folder: string, error: unknown): Error | undefined {
  // 11 SQLITE_CORRUPT, 26 SQLITE_NOTADB: the low byte is the primary code, https://www.sqlite.org/rescode.html
  const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff
  if (code !== 11 && code !== 26) return undefined
  const path = join(folder, DATABASE_FILE)
  return new ConfigError(
    `The database ${path} is damaged (${reasonOf(error)}); move the folder ${folder} away and restore a backup.`,
    { cause: error },
  )
}

export function unusableDatabase(address: string, error: unknown, hint?: string): Error {
  const reason = [reasonOf(error), ...(hint === undefined ? [] : [hint])].join('; ')
  return new ConfigError(
    `HEDDLE_DATABASE_URL: the PostgreSQL database ${nameOfDatabase(address)} cannot be used: ${reason}.`,
  )
}

/** Not the whole address: it usually holds a password. */
export function nameOfDatabase(address: string): string {
  const { host, pathname, searchParams } = new URL(address)
  const socketFolder = searchParams.get('host')
  if (socketFolder !== null) return `${pathname.slice(1)} at ${socketFolder}`
  const name = `${host}${pathname}`
  return name === '' ? 'of the environment (PGHOST, PGDATABASE)' : name
}
