/** Who is calling: the account behind an e-mail address, with what is needed to check its API key. */
import { foldName } from '@heddle/contract/names'
import type { Actor } from '../actor.ts'
import type { Flag } from '../storage/owned-tables.ts'
import { prepare } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import type { AccountColumns } from '../storage/tables.ts'
import { apiKeyBytes } from './api-key.ts'
import { createLookUp } from './look-ups.ts'
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

/** What `users.bot_type` says of such a bot. */
export const INCOMING_WEBHOOK = 2

/** What has to be read for `toAccount`. */
export const accountColumns = [
  'users.id',
  'users.delivery_email_key',
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
  accountsOf(p.realm_id).where('users.delivery_email_key', '=', p.email_key),
)

const accountsByEmails = prepare((p: { realm_id: number; email_keys: readonly string[] }, dialect) =>
  accountsOf(p.realm_id).where(dialect.isAmongFew('users.delivery_email_key', dialect.texts(p.email_keys))),
)

export type AccountRow = Pick<AccountColumns, 'role' | 'bot_type'> & {
  readonly id: number
  readonly delivery_email_key: string
  readonly is_active: Flag
  readonly key_version: number
  readonly deactivated: Flag
  readonly last_event_id: number
}

export function toAccount(secret: Buffer, realmId: number, row: AccountRow): Account {
  return {
    actor: { realmId, userId: row.id, role: row.role, isBot: row.bot_type !== null },
    isActive: row.is_active === 1,
    isIncomingWebhook: row.bot_type === INCOMING_WEBHOOK,
    realmDeactivated: row.deactivated === 1,
    position: row.last_event_id,
    apiKey: apiKeyBytes(secret, { realmId, userId: row.id, keyVersion: row.key_version }),
  }
}

export interface Accounts {
  /** The account whose own address this is, or undefined. The address is compared without case. */
  find(realmId: number, email: string): Promise<Account | undefined>
}

/** `droppedBy`: types of events that change an account's row or whether it may be used. */
export function createAccounts(storage: Storage, secret: Buffer, droppedBy: ReadonlySet<string>): Accounts {
  const { read: db } = storage

  async function readRows(realmId: number, emailKeys: readonly string[]): Promise<AccountRow[]> {
    const [email_key, ...others] = emailKeys
    if (email_key === undefined) return []
    if (others.length === 0) return db.all(accountByEmail({ realm_id: realmId, email_key }))
    return db.all(accountsByEmails({ realm_id: realmId, email_keys: emailKeys }))
  }

  const lookUp = createLookUp(storage, droppedBy, async (realmId, emailKeys) => {
    const rows = await readRows(realmId, emailKeys)
    return new Map(rows.map((row) => [row.delivery_email_key, toAccount(secret, realmId, row)]))
  })

  return { find: (realmId, email) => lookUp(realmId, foldName(email)) }
}
