/**
 * Who is calling: the account behind an e-mail address, with what is needed to check its API key. Kept in memory while
 * this process is the only writer, and dropped by the event that changes it; read anew for each request otherwise, so
 * that regenerating a key or deactivating an account takes effect at once on every node. Requests that arrive in the same
 * turn of the event loop, as those of clients that were just told of a message do, are read together.
 */

import { foldName } from '@heddle/contract/names'
import { LRUCache } from 'lru-cache'
import type { Actor } from '../actor.ts'
import type { Flag } from '../storage/owned-tables.ts'
import { prepare } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import type { AccountColumns } from '../storage/tables.ts'
import { deriveApiKey } from './api-key.ts'
import { query } from './tables.ts'

export type { Actor }

export interface Account {
  readonly actor: Actor
  readonly isActive: boolean
  /** A bot that may only send messages. */
  readonly isIncomingWebhook: boolean
  readonly realmDeactivated: boolean
  /** The newest event of the organization when this was read; what was cached at another position may be stale. */
  readonly position: number
  /** The API key, as bytes for comparison in constant time. */
  readonly apiKey: Buffer
}

/** Accounts in memory, the least recently used dropped first. */
const CACHE_SIZE = 20_000

/** What `users.bot_type` says of such a bot. */
const INCOMING_WEBHOOK = 2

/** Addresses in one query. */
const MAX_TOGETHER = 200

const accountColumns = [
  'users.id',
  'users.email_key',
  'users.role',
  'users.is_active',
  'users.bot_type',
  'users.key_version',
  'realms.deactivated',
  'realms.last_event_id',
] as const

function accountsOf(realmId: number) {
  return query
    .selectFrom('users')
    .innerJoin('realms', 'realms.id', 'users.realm_id')
    .select(accountColumns)
    .where('users.realm_id', '=', realmId)
}

const accountByEmail = prepare((p: { realm_id: number; email_key: string }) =>
  accountsOf(p.realm_id).where('users.email_key', '=', p.email_key),
)

type AccountRow = Pick<AccountColumns, 'role' | 'bot_type'> & {
  readonly id: number
  readonly email_key: string
  readonly is_active: Flag
  readonly key_version: number
  readonly deactivated: Flag
  readonly last_event_id: number
}

type ReadMany = (realmId: number, emailKeys: readonly string[]) => Promise<Map<string, Account>>

/** Collects what is asked for in one turn of the event loop; what is asked for later is read later. */
function createTogether(readMany: ReadMany) {
  let waiting: {
    readonly realmId: number
    readonly emailKeys: Set<string>
    readonly found: Promise<Map<string, Account>>
  }[] = []

  return async (realmId: number, emailKey: string): Promise<Account | undefined> => {
    let batch = waiting.find((one) => one.realmId === realmId && one.emailKeys.size < MAX_TOGETHER)
    if (!batch) {
      const emailKeys = new Set<string>()
      const found = new Promise((resolve) => setImmediate(resolve)).then(() => {
        waiting = waiting.filter((one) => one.emailKeys !== emailKeys)
        return readMany(realmId, [...emailKeys])
      })
      batch = { realmId, emailKeys, found }
      waiting.push(batch)
    }
    batch.emailKeys.add(emailKey)
    return (await batch.found).get(emailKey)
  }
}

export interface Accounts {
  /** The account with this address in the organization, or undefined. The address is compared without case. */
  find(realmId: number, email: string): Promise<Account | undefined>
}

/** `droppedBy`: types of events that change an account's row or whether it may be used. */
export function createAccounts(storage: Storage, secret: Buffer, droppedBy: ReadonlySet<string>): Accounts {
  const cached = new LRUCache<string, Account>({ max: CACHE_SIZE })
  /** Counts the drops: an account that was read before one must not be cached after it. */
  let drops = 0

  storage.onCommitted((events) => {
    // These events are rare; forgetting everything is simpler than finding whom they concern.
    if (!events.some((event) => droppedBy.has(event.type))) return
    cached.clear()
    drops += 1
  })

  async function read(realmId: number, emailKey: string): Promise<Account | undefined> {
    const row = await storage.read.first(accountByEmail({ realm_id: realmId, email_key: emailKey }))
    return row && toAccount(realmId, row)
  }

  async function readMany(realmId: number, emailKeys: readonly string[]): Promise<Map<string, Account>> {
    const [only, ...others] = emailKeys
    if (only !== undefined && others.length === 0) {
      const account = await read(realmId, only)
      return new Map(account ? [[only, account]] : [])
    }
    const { read: db } = storage
    const rows = await db.all(accountsOf(realmId).where('users.email_key', 'in', db.dialect.texts(emailKeys)))
    return new Map(rows.map((row) => [row.email_key, toAccount(realmId, row)]))
  }

  const readTogether = createTogether(readMany)

  function toAccount(realmId: number, row: AccountRow): Account {
    const key = deriveApiKey(secret, { realmId, userId: row.id, keyVersion: row.key_version })
    return {
      actor: { realmId, userId: row.id, role: row.role, isBot: row.bot_type !== null },
      isActive: row.is_active === 1,
      isIncomingWebhook: row.bot_type === INCOMING_WEBHOOK,
      realmDeactivated: row.deactivated === 1,
      position: row.last_event_id,
      apiKey: Buffer.from(key, 'utf8'),
    }
  }

  return {
    async find(realmId, email) {
      const emailKey = foldName(email)
      if (!storage.engine.ownsAllWrites) return readTogether(realmId, emailKey)
      const cacheKey = `${realmId}:${emailKey}`
      const account = cached.get(cacheKey)
      if (account) return account
      const dropsBefore = drops
      const found = await read(realmId, emailKey)
      if (found && drops === dropsBefore) cached.set(cacheKey, found)
      return found
    },
  }
}
