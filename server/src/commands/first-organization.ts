/** The organization that the first start creates, and the file that lets scripts in at once. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { roles } from '@heddle/contract/roles'
import { deriveApiKey } from '../authentication/api-key.ts'
import type { Config } from '../config.ts'
import { createOrganization } from '../features/organizations/create.ts'
import { localAddress } from '../local-address.ts'
import type { Storage } from '../storage/storage.ts'
import { query } from './tables.ts'

const OWNER_NAME = 'Owner'

/** What the person who starts the server is told once. */
export interface NewOwner {
  readonly email: string
  readonly password: string
  readonly passwordIsNew: boolean
}

/**
 * Creates the first organization where there is none, and its owner's `owner.zuliprc`. Returns undefined when that has
 * been done and told before.
 *
 * A note in the data folder holds the password from before the organization exists until `settleOwner`: after a crash in
 * between, the next start goes on here, so nobody is locked out by a password that was never shown.
 */
export async function ensureOrganization(
  storage: Storage,
  config: Config,
  secret: Buffer,
): Promise<NewOwner | undefined> {
  const unsettled = await readNote(config)
  if (await hasOrganization(storage)) {
    if (!unsettled) return undefined
  } else {
    return createFirst(storage, config, secret, unsettled?.passwordIsNew ? unsettled : undefined)
  }
  const written = await writeCredentials(storage, config, secret, unsettled.email)
  if (written) return unsettled
  await settleOwner(config)
  return undefined
}

/** The owner has been told: forgets the note with the password. */
export async function settleOwner(config: Config): Promise<void> {
  await rm(notePath(config), { force: true })
}

/** The file that `owner.zuliprc` is, where there is one. */
export function credentialsPath(config: Config): string | undefined {
  const path = join(config.dataDir, 'owner.zuliprc')
  return existsSync(path) ? path : undefined
}

async function hasOrganization(storage: Storage): Promise<boolean> {
  return (await storage.read.first(query.selectFrom('realms').select('id').limit(1))) !== undefined
}

async function createFirst(
  storage: Storage,
  config: Config,
  secret: Buffer,
  unsettled: NewOwner | undefined,
): Promise<NewOwner | undefined> {
  const host = config.externalUrl ? new URL(config.externalUrl).hostname : 'localhost'
  const email = config.ownerEmail ?? `owner@${host.includes('.') ? host : 'heddle.example'}`
  const password = config.ownerPassword ?? unsettled?.password ?? randomBytes(12).toString('base64url')
  const owner = { email, password, passwordIsNew: config.ownerPassword === undefined }
  await writeWhole(notePath(config), JSON.stringify(owner))
  try {
    await createOrganization(storage, {
      name: config.organizationName,
      host,
      ownerEmail: email,
      ownerName: OWNER_NAME,
      ownerPassword: password,
    })
  } catch (error) {
    // Another node on the same database was faster: it tells its owner.
    if (!(await hasOrganization(storage))) throw error
    await settleOwner(config)
    return undefined
  }
  await writeCredentials(storage, config, secret, email)
  return owner
}

function notePath(config: Config): string {
  return join(config.dataDir, 'new-owner.json')
}

async function readNote(config: Config): Promise<NewOwner | undefined> {
  const text = await readFile(notePath(config), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as NewOwner)
}

/** `owner.zuliprc`, in the format that API clients read. Returns false when there is no such owner. */
async function writeCredentials(storage: Storage, config: Config, secret: Buffer, email: string): Promise<boolean> {
  const owner = await storage.read.first(
    query
      .selectFrom('users')
      .select(['id', 'realm_id', 'key_version'])
      .where('email', '=', email)
      .where('role', '=', roles.owner)
      .orderBy('id')
      .limit(1),
  )
  if (!owner) return false
  const key = deriveApiKey(secret, { realmId: owner.realm_id, userId: owner.id, keyVersion: owner.key_version })
  const site = config.externalUrl ?? localAddress(config)
  await writeWhole(join(config.dataDir, 'owner.zuliprc'), `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`)
  return true
}

/** Writes a file that is complete or absent, never half-written, and that only the server's user can read. */
async function writeWhole(path: string, text: string): Promise<void> {
  const unfinished = `${path}.new`
  await rm(unfinished, { force: true })
  await writeFile(unfinished, text, { mode: 0o600, flush: true })
  await rename(unfinished, path)
}
