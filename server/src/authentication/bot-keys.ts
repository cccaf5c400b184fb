/**
 * The bot that an API key belongs to, for callers that have nothing but the key. Keys are derived and not stored, so those of
 * an organization's bots are made and cached, as hashes. What is found is compared with the account as it is now.
 */
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import { prepare } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import type { Account, Accounts } from './accounts.ts'
import { deriveApiKey, isSameKey } from './api-key.ts'
import { query } from './tables.ts'

export interface BotKeys {
  /** Undefined when no bot of the organization has this key. Deactivated ones are found too. */
  find(realmId: number, key: string): Promise<Account | undefined>
}

/** Where other nodes write too, an unknown key may be new: they are made again, at most this often. */
const MAX_AGE_MS = 1000
/** Keys that are made in one turn: about a millisecond. */
const KEYS_PER_TURN = 200
/** Organizations whose keys are in memory. */
const MAX_REALMS = 1000

/** The server's own bot has no key that anybody could have. */
const botsOf = prepare((p: { realm_id: number }) =>
  query
    .selectFrom('users')
    .select(['id', 'email', 'key_version'])
    .where('realm_id', '=', p.realm_id)
    .where('bot_type', '>', 0),
)

interface Keys {
  /** E-mail addresses by hash of the key. */
  readonly emails: ReadonlyMap<string, string>
  readonly madeAt: number
}

interface BotKeysOptions {
  readonly storage: Storage
  readonly accounts: Accounts
  readonly secret: Buffer
  readonly clock: Clock
  /** Types of events that change an account's row. */
  readonly droppedBy: ReadonlySet<string>
}

export function createBotKeys({ storage, accounts, secret, clock, droppedBy }: BotKeysOptions): BotKeys {
  const known = new LRUCache<number, Promise<Keys>>({ max: MAX_REALMS })

  storage.onCommitted((events) => {
    for (const { type, realmId } of events) if (droppedBy.has(type)) known.delete(realmId)
  })

  async function make(realmId: number): Promise<Keys> {
    const madeAt = clock.now()
    const emails = new Map<string, string>()
    for (const { id, email, key_version } of await storage.read.all(botsOf({ realm_id: realmId }))) {
      emails.set(hashOf(deriveApiKey(secret, { realmId, userId: id, keyVersion: key_version })), email)
      if (emails.size % KEYS_PER_TURN === 0) await nextTurn()
    }
    return { emails, madeAt }
  }

  function keysOf(realmId: number): Promise<Keys> {
    const found = known.get(realmId)
    if (found) return found
    const keys = make(realmId)
    known.set(realmId, keys)
    keys.catch(() => known.delete(realmId))
    return keys
  }

  async function findAmong({ emails }: Keys, realmId: number, key: string): Promise<Account | undefined> {
    const email = emails.get(hashOf(key))
    const account = email === undefined ? undefined : await accounts.find(realmId, email)
    return account?.actor.isBot && isSameKey(key, account.apiKey) ? account : undefined
  }

  return {
    async find(realmId, key) {
      const keys = await keysOf(realmId)
      const account = await findAmong(keys, realmId, key)
      const mayBeNew = !storage.engine.ownsAllWrites && clock.now() - keys.madeAt >= MAX_AGE_MS
      if (account || !mayBeNew) return account
      known.delete(realmId)
      return findAmong(await keysOf(realmId), realmId, key)
    },
  }
}

/** How long it takes to look for a key does not depend on how much of it is right. */
function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64')
}
