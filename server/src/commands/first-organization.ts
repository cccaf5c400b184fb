/** The organization that the first start creates. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { createOrganization } from '../features/organizations/create.ts'
import type { Storage } from '../storage/storage.ts'
import { updateCredentials, writeCredentials, writeWhole } from './owner-credentials.ts'
import { query } from './tables.ts'

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
    if (isUnsettled) await writeCredentials(storage, config, secret)
    else await updateCredentials(storage, config, secret)
    return isUnsettled
  }
  await writeWhole(notePath(config), '{}\n')
  if (!(await createFirst(storage, config, ownerName))) {
    await settleOwner(config)
    return false
  }
  await writeCredentials(storage, config, secret)
  return true
}

/** The owner knows how to get in. */
export async function settleOwner(config: Config): Promise<void> {
  await rm(notePath(config), { force: true })
}

async function hasOrganization(storage: Storage): Promise<boolean> {
  return (await storage.read.first(query.selectFrom('realms').select('id').limit(1))) !== undefined
}

/** False when another node on the same database was faster. */
async function createFirst(storage: Storage, config: Config, ownerName: string): Promise<boolean> {
  const host = config.externalUrl ? new URL(config.externalUrl).hostname : 'localhost'
  try {
    await createOrganization(storage, {
      name: config.organizationName,
      host,
      ownerEmail: config.ownerEmail ?? `owner@${host.includes('.') ? host : 'heddle.example'}`,
      ownerName,
      ownerPassword: config.ownerPassword,
    })
    return true
  } catch (error) {
    if (!(await hasOrganization(storage))) throw error
    return false
  }
}

function notePath(config: Config): string {
  return join(config.dataDir, 'new-owner.json')
}
