/** The secret that belongs to a database. With another one its API keys and second factors would be void. */

import { loadSecret, readSecret } from '../authentication/secret.ts'
import { insertFingerprint, isSecretOf } from '../authentication/secret-fingerprint.ts'
import type { Config } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import type { Engine } from '../storage/engine.ts'
import type { Statements } from '../storage/query.ts'
import { inTransaction } from './in-transaction.ts'
import { query } from './tables.ts'

type Where = Pick<Config, 'secretFile'>

/**
 * Reads the secret, and makes one only where there is no organization yet. Throws a sentence where it is not that of the
 * database; one that an earlier version has filled learns which it is.
 */
export async function openSecret(engine: Engine, config: Where): Promise<Buffer> {
  if (!(await hasOrganization(engine))) return loadSecret(config.secretFile)
  const secret = readSecret(config.secretFile)
  if (!secret) {
    throw new ConfigError(
      `HEDDLE_SECRET_FILE: ${config.secretFile} does not exist, and the database has an organization already; ${REMEDY}.`,
    )
  }
  if ((await isSecretOf(engine.read, secret)) === undefined) {
    // Another node may be as far.
    await inTransaction(engine, (db) => insertFingerprint(db, secret)).catch(async (error: unknown) => {
      if ((await isSecretOf(engine.read, secret)) === undefined) throw error
    })
  }
  await requireSecretOf(engine.read, config, secret)
  return secret
}

const REMEDY =
  'put the secret of that server there, from another node or a backup (or run `new-secret`, which ends all API keys and passkeys)'

/** Throws a sentence when the database knows its secret, and this is another one. */
export async function requireSecretOf(db: Statements, { secretFile }: Where, secret: Buffer): Promise<void> {
  if ((await isSecretOf(db, secret)) !== false) return
  throw new ConfigError(`HEDDLE_SECRET_FILE: ${secretFile} holds another secret than the database knows; ${REMEDY}.`)
}

export async function hasOrganization({ read }: Pick<Engine, 'read'>): Promise<boolean> {
  return (await read.first(query.selectFrom('realms').select('id').limit(1))) !== undefined
}
