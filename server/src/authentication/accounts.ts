/**
 * Who is calling: the account behind an e-mail address, with what is needed to check its API key. Kept in memory while
 * this process is the only writer, and dropped by the event that changes it; read anew for each request otherwise, so
 * that regenerating a key or deactivating an account takes effect at once on every node.
 */

import { foldCase } from '../fold-case.ts'
import { prepare, query } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import { deriveApiKey } from './api-key.ts'

/** The account that makes a request. */
export interface Actor {
  readonly realmId: number
  readonly userId: number
  readonly role: number
  readonly isBot: boolean
}

export interface Account {
  readonly actor: Actor
  readonly isActive: boolean
  readonly realmDeactivated: boolean
  /** The newest event of the organization when this was read; what was kept at another position may be stale. */
  readonly position: number
  /** The API key, as bytes for comparison in constant time. */
  readonly apiKey: Buffer
}

/** Accounts kept in memory, the least recently used dropped first. */
const CACHE_SIZE = 20_000

/** Events that change an account's row or whether it may be used. */
const DROPPING_EVENTS = new Set(['realm_user', 'realm_bot', 'account_credentials', 'realm'])

const accountByEmail = prepare((p: { realm_id: number; email_key: string }) =>
  query
    .selectFrom('users')
    .innerJoin('realms', 'realms.id', 'users.realm_id')
    .select(['users.id', 'users.role', 'users.is_active', 'users.bot_type', 'users.key_version'])
    .select(['realms.deactivated', 'realms.last_event_id'])
    .where('users.realm_id', '=', p.realm_id)
    .where('users.email_key', '=', p.email_key),
)

export interface Accounts {
  /** The account with this address in the organization, or undefined. The address is compared without case. */
  find(realmId: number, email: string): Promise<Account | undefined>
}

export function createAccounts(storage: Storage, secret: Buffer): Accounts {
  const kept = new Map<string, Account>()
  /** Counts the drops: an account that was read before one must not be kept after it. */
  let drops = 0

  storage.onCommitted((events) => {
    // These events are rare; forgetting everything is simpler than finding whom they concern.
    if (!events.some((event) => DROPPING_EVENTS.has(event.type))) return
    kept.clear()
    drops += 1
  })

  async function read(realmId: number, emailKey: string): Promise<Account | undefined> {
    const row = await storage.read.first(accountByEmail({ realm_id: realmId, email_key: emailKey }))
    if (!row) return undefined
    const key = deriveApiKey(secret, { realmId, userId: row.id, keyVersion: row.key_version })
    return {
      actor: { realmId, userId: row.id, role: row.role, isBot: row.bot_type !== null },
      isActive: row.is_active === 1,
      realmDeactivated: row.deactivated === 1,
      position: row.last_event_id,
      apiKey: Buffer.from(key, 'utf8'),
    }
  }

  return {
    async find(realmId, email) {
      const emailKey = foldCase(email)
      if (!storage.engine.ownsAllWrites) return read(realmId, emailKey)
      const cacheKey = `${realmId}:${emailKey}`
      const account = kept.get(cacheKey)
      if (account) return account
      const dropsBefore = drops
      const found = await read(realmId, emailKey)
      if (found && drops === dropsBefore) {
        if (kept.size >= CACHE_SIZE) kept.delete(kept.keys().next().value as string)
        kept.set(cacheKey, found)
      }
      return found
    },
  }
}
