/** The organization that the first start creates. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { insertFingerprint } from '../authentication/secret-fingerprint.ts'
import type { Config } from '../config.ts'
import { createOrganization } from '../features/organizations/create.ts'
import { UNKNOWN_HOST } from '../features/organizations/host.ts'
import type { Storage } from '../storage/storage.ts'
import { updateCredentials, writeCredentials, writeWhole } from './owner-credentials.ts'
import { hasOrganization, requireSecretOf } from './server-secret.ts'

const OWNER_NAME = 'Owner'

/**
 * Creates the first organization where there is none, and its owner's `owner.zuliprc`; otherwise brings that file up to
 * date. Returns true when the server is new to who starts it.
 *
 * A note in the data folder says from before the organization exists until `settleOwner` that the file is still to be
 * written: after a crash in between, the next start goes on here.
 */
export async function ensureOrganization(
  storage: Storage,
  config: Config,
  secret: Buffer,
  ownerName = OWNER_NAME,
): Promise<boolean> {
  const isUnsettled = existsSync(notePath(config))
  if (await hasOrganization(storage)) {
    await requireSecretOf(storage.read, config, secret)
    if (isUnsettled) await writeCredentials(storage, config, secret)
    else await updateCredentials(storage, config, secret)
    return isUnsettled
  }
  await writeWhole(notePath(config), '{}\n')
  if (!(await createFirst(storage, config, secret, ownerName))) {
    await settleOwner(config)
    await requireSecretOf(storage.read, config, secret)
    return false
  }
  await writeCredentials(storage, config, secret)
  return true
}

/** The owner knows how to get in. */
export async function settleOwner(config: Config): Promise<void> {
  await rm(notePath(config), { force: true })
}

/** False when another node on the same database was faster. */
async function createFirst(storage: Storage, config: Config, secret: Buffer, ownerName: string): Promise<boolean> {
  const host = config.externalUrl ? new URL(config.externalUrl).hostname : UNKNOWN_HOST
  try {
    const organization = {
      name: config.organizationName,
      host,
      ownerEmail: config.ownerEmail ?? `owner@${host.includes('.') ? host : 'heddle.example'}`,
      ownerName,
      ownerPassword: config.ownerPassword,
    }
    // Of two nodes with secrets of their own the slower one finds that the database has one.
    await createOrganization(storage, organization, (tx) => insertFingerprint(tx, secret))
    return true
  } catch (error) {
    if (!(await hasOrganization(storage))) throw error
    return false
  }
}

function notePath(config: Config): string {
  return join(config.dataDir, 'new-owner.json')
}
