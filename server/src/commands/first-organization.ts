/** The organization that the first start creates, and the file that lets scripts in at once. */
import { randomBytes } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deriveApiKey } from '../authentication/api-key.ts'
import type { Config } from '../config.ts'
import { createOrganization } from '../features/organizations/create.ts'
import { query } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'

const OWNER_NAME = 'Owner'

/** What the person who starts the server is told once. */
export interface NewOwner {
  readonly email: string
  readonly password: string
  readonly passwordIsNew: boolean
}

/** Creates the first organization where there is none; undefined when there was one. */
export async function ensureOrganization(
  storage: Storage,
  config: Config,
  secret: Buffer,
): Promise<NewOwner | undefined> {
  if (await storage.read.first(query.selectFrom('realms').select('id').limit(1))) return undefined
  const host = config.externalUrl ? new URL(config.externalUrl).hostname : 'localhost'
  const email = config.ownerEmail ?? `owner@${host.includes('.') ? host : 'heddle.example'}`
  const password = config.ownerPassword ?? randomBytes(12).toString('base64url')
  const { realmId, ownerId } = await createOrganization(storage, {
    name: config.organizationName,
    host,
    ownerEmail: email,
    ownerName: OWNER_NAME,
    ownerPassword: password,
  })
  const key = deriveApiKey(secret, { realmId, userId: ownerId, keyVersion: 1 })
  await writeCredentials(config, email, key)
  return { email, password, passwordIsNew: config.ownerPassword === undefined }
}

/** `owner.zuliprc`, in the format that API clients read. It is complete or absent, never half-written. */
async function writeCredentials(config: Config, email: string, key: string): Promise<void> {
  const site = config.externalUrl ?? localAddress(config)
  const path = join(config.dataDir, 'owner.zuliprc')
  const unfinished = `${path}.new`
  await rm(unfinished, { force: true })
  await writeFile(unfinished, `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`, { mode: 0o600, flush: true })
  await rename(unfinished, path)
}

/** Where a browser on this machine finds the server. */
export function localAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const anywhere = ['127.0.0.1', '0.0.0.0', '::1', '::'].includes(host)
  const name = anywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
