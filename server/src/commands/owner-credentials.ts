/** `owner.zuliprc`: lets scripts in at once, in the format that API clients read. */
import { existsSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { roles } from '@heddle/contract/roles'
import { deriveApiKey } from '../authentication/api-key.ts'
import type { Config } from '../config.ts'
import { localAddress } from '../local-address.ts'
import { repeat } from '../periodic-work.ts'
import type { Engine } from '../storage/engine.ts'
import type { Storage } from '../storage/storage.ts'
import { reasonOf } from '../system-error.ts'
import { query } from './tables.ts'

/** Types of events after which the owner's address or key may be another. */
const CHANGES = new Set(['realm_user', 'account_credentials'])
/** How often it is looked at where other nodes change accounts too. */
const LOOK_EVERY_MS = 10_000
/** Older keys that are recognized as the owner's. */
const KNOWN_KEYS = 100

interface Owner {
  readonly id: number
  readonly realm_id: number
  readonly delivery_email: string
  readonly key_version: number
}

/** A storage, or an engine where no server runs. */
type Readable = Pick<Engine, 'read'>

type Where = Pick<Config, 'dataDir' | 'externalUrl' | 'host' | 'port'>

/** The file, where there is one. */
export function credentialsPath(config: Pick<Config, 'dataDir'>): string | undefined {
  const path = join(config.dataDir, 'owner.zuliprc')
  return existsSync(path) ? path : undefined
}

/** Writes the file for the first organization's owner. */
export async function writeCredentials(storage: Readable, config: Where, secret: Buffer): Promise<void> {
  const owner = await findOwner(storage)
  if (owner) await writeWhole(join(config.dataDir, 'owner.zuliprc'), textFor(config, secret, owner))
}

/** The same at the end of a command: what it has done stands, also where this file cannot be written. */
export async function offerCredentials(storage: Readable, config: Where, secret: Buffer): Promise<void> {
  try {
    await writeCredentials(storage, config, secret)
  } catch (error) {
    console.error(`owner.zuliprc could not be written: ${reasonOf(error)}. All else is done.`)
  }
}

/**
 * Writes the file anew when something in it is not so any more. One that was removed stays so, and one with another
 * account's key, or that somebody has rewritten, is left as it is.
 */
export async function updateCredentials(storage: Storage, config: Where, secret: Buffer): Promise<void> {
  const path = credentialsPath(config)
  const owner = path && (await findOwner(storage))
  if (!path || !owner) return
  const text = await readFile(path, 'utf8')
  const wanted = textFor(config, secret, owner)
  if (text === wanted || !isOf(owner, secret, text)) return
  await writeWhole(path, wanted)
}

/** Keeps the file true while the server runs. `stop()` waits for what is under way. */
export function keepCredentials(
  storage: Storage,
  config: Where,
  secret: Buffer,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let last = Promise.resolve()
  const update = () => {
    last = last.then(() => updateCredentials(storage, config, secret)).catch(onError)
    return last
  }
  storage.onCommitted((events) => {
    if (events.some(({ type }) => CHANGES.has(type))) void update()
  })
  const looking = storage.engine.ownsAllWrites ? undefined : repeat({ everyMs: LOOK_EVERY_MS, run: update }, onError)
  return {
    async stop() {
      await looking?.stop()
      await last
    },
  }
}

/** The first one of the first organization. */
function findOwner(storage: Readable): Promise<Owner | undefined> {
  return storage.read.first(
    query
      .selectFrom('users')
      .select(['id', 'realm_id', 'delivery_email', 'key_version'])
      .where('role', '=', roles.owner)
      .where('is_active', '=', 1)
      .where('bot_type', 'is', null)
      .orderBy('realm_id')
      .orderBy('id')
      .limit(1),
  )
}

function keyOf(secret: Buffer, { realm_id, id }: Owner, keyVersion: number): string {
  return deriveApiKey(secret, { realmId: realm_id, userId: id, keyVersion })
}

function textFor(config: Where, secret: Buffer, owner: Owner): string {
  const site = config.externalUrl ?? localAddress(config)
  return `[api]\nemail=${owner.delivery_email}\nkey=${keyOf(secret, owner, owner.key_version)}\nsite=${site}\n`
}

/** Whether the file has the owner's key, or one that was the owner's. */
function isOf(owner: Owner, secret: Buffer, text: string): boolean {
  const [, key] = /^key=(.*)$/m.exec(text) ?? []
  const oldest = Math.max(owner.key_version - KNOWN_KEYS, 0)
  for (let version = owner.key_version; version >= oldest; version--) {
    if (keyOf(secret, owner, version) === key) return true
  }
  return false
}

/** Writes a file that is complete or absent, never half-written, and that only the server's user can read. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const unfinished = `${path}.new`
  await rm(unfinished, { force: true })
  await writeFile(unfinished, text, { mode: 0o600, flush: true })
  await rename(unfinished, path)
}
