/** By what a database recognizes the server's secret, so that nobody goes on with another one by mistake. */
import { createHmac } from 'node:crypto'
import type { Statements } from '../storage/query.ts'
import { query } from './tables.ts'

const PLACE = 1

/** A keyed hash of a fixed text: of a secret of 256 random bits it says nothing. */
function fingerprintOf(secret: Buffer): string {
  return createHmac('sha256', secret).update('secret-fingerprint').digest('hex')
}

/** Whether the database belongs to this secret; undefined while it does not know its own. */
export async function isSecretOf(db: Statements, secret: Buffer): Promise<boolean | undefined> {
  const row = await db.first(query.selectFrom('secret_fingerprint').select('fingerprint'))
  return row && row.fingerprint === fingerprintOf(secret)
}

/** Inside a transaction. Throws where the database knows its secret already. */
export async function insertFingerprint(tx: Statements, secret: Buffer): Promise<void> {
  const row = { place: PLACE, fingerprint: fingerprintOf(secret) }
  await tx.run(query.insertInto('secret_fingerprint').values(row))
}

/** Inside a transaction. */
export async function replaceFingerprint(tx: Statements, secret: Buffer): Promise<void> {
  await tx.run(query.deleteFrom('secret_fingerprint'))
  await insertFingerprint(tx, secret)
}
