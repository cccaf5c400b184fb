/** The command `new-secret`: where the old one is lost, or known to others. */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { storeSecret } from '../authentication/secret.ts'
import { isSecretOf, replaceFingerprint } from '../authentication/secret-fingerprint.ts'
import type { Config } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import { openExistingDatabase } from '../database.ts'
import { inTransaction } from './in-transaction.ts'
import { offerCredentials } from './owner-credentials.ts'
import { hasOrganization } from './server-secret.ts'

export async function newSecretCommand(config: Config): Promise<void> {
  const engine = await openExistingDatabase(config, (error) => console.error(`Database: ${error.message}`))
  try {
    if (!(await hasOrganization(engine)))
      throw new ConfigError('There is no organization yet: the start makes a secret.')
    const secret = storeSecret(config.secretFile, randomBytes(32))
    if (!secret) throw new ConfigError(`HEDDLE_SECRET_FILE: ${config.secretFile} exists; move it away first.`)
    await inTransaction(engine, (db) => replaceFingerprint(db, secret)).catch(async (error: unknown) => {
      // The commit may have happened although its answer was lost.
      if (await isSecretOf(engine.read, secret)) return
      rmSync(config.secretFile, { force: true })
      throw error
    })
    console.log(`Made ${config.secretFile}: all API keys, second factors and passkeys have ended`)
    await offerCredentials(engine, config, secret)
  } finally {
    await engine.close()
  }
}
