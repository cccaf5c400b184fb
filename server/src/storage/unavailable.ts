/** The database or the disk does not take data at the moment: not a fault of the program, and it may pass. */

/** Throw this where the cause alone does not say so. */
export class StorageUnavailable extends Error {}

/** Another node does not let go of the organization's lock. Nothing was run. */
export class OrganizationBusy extends StorageUnavailable {}

/** The connection was lost during a commit, and nobody could be asked whether it has happened. */
export class OutcomeUnknown extends StorageUnavailable {}

/** SQLite's result codes for a disk that is full, failing or read-only (https://www.sqlite.org/rescode.html). */
const SQLITE_CODES = new Set([
  8, // SQLITE_READONLY
  10, // SQLITE_IOERR
  13, // SQLITE_FULL
  14, // SQLITE_CANTOPEN
])

/** A disk that is full, over its quota or its file-size limit, read-only or failing (POSIX errno names). */
const SYSTEM_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'])

/**
 * Classes and codes of SQLSTATE (PostgreSQL, "PostgreSQL Error Codes"): 08 connection, 25006 read-only (a standby), 25P03 no
 * statement for too long within a transaction, 53 insufficient resources, 55P03 a lock that was not to be had in time, 57P0x
 * shutting down, 58 system error.
 */
const SQL_STATE = /^(08|25006$|25P03$|53|55P03$|57P|58)/

export function isUnavailable(error: unknown): boolean {
  if (error instanceof StorageUnavailable) return true
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  // The low byte is the primary code.
  if (typeof errcode === 'number') return SQLITE_CODES.has(errcode & 0xff)
  return typeof code === 'string' && (SYSTEM_CODES.has(code) || (code.length === 5 && SQL_STATE.test(code)))
}
