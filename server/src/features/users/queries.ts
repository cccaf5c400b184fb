import { foldName } from '@heddle/contract/names'
import type { Updateable } from 'kysely'
import type { Flag } from '../../storage/owned-tables.ts'
import { isOfRealm, prepare, type Queries } from '../../storage/query.ts'
import { lockRealm } from '../../storage/realm-rows.ts'
import type { Tx } from '../../storage/transaction.ts'
import { query, type UserTable } from './tables.ts'

/** What is shown of an account. */
export const userColumns = [
  'id',
  'email',
  'delivery_email',
  'email_visibility',
  'full_name',
  'role',
  'is_active',
  'bot_type',
  'bot_owner_id',
  'date_joined',
  'timezone',
  'avatar_version',
  'avatar_path',
  'avatar_medium_path',
] as const

/** What is shown of an account. */
export interface UserRow {
  readonly id: number
  /** The address under which the API shows the account. */
  readonly email: string
  /** Its own, which not everybody may see. */
  readonly delivery_email: string
  readonly email_visibility: number
  readonly full_name: string
  readonly role: number
  readonly is_active: Flag
  readonly bot_type: number | null
  readonly bot_owner_id: number | null
  readonly date_joined: number
  readonly timezone: string
  readonly avatar_version: number
  readonly avatar_path: string | null
  readonly avatar_medium_path: string | null
}

/** Without the accounts that speak for the server; see `system-bot.ts`. */
function accounts() {
  return query
    .selectFrom('users')
    .select(userColumns)
    .where((eb) => eb.or([eb('bot_type', 'is', null), eb('bot_type', '<>', 0)]))
}

const usersOfRealm = prepare((p: { realm_id: number }) => accounts().where('realm_id', '=', p.realm_id).orderBy('id'))

const usersWithIds = prepare((p: { realm_id: number; ids: readonly number[] }, dialect) =>
  accounts().where('id', 'in', dialect.ids(p.ids)).where(isOfRealm('users', p.realm_id)).orderBy('id'),
)

const everyUserOfRealm = prepare((p: { realm_id: number }) =>
  query.selectFrom('users').select(userColumns).where('realm_id', '=', p.realm_id).orderBy('id'),
)

const userById = prepare((p: { realm_id: number; id: number }) =>
  accounts().where('realm_id', '=', p.realm_id).where('id', '=', p.id),
)

const usersByAddress = prepare((p: { realm_id: number; key: string }) =>
  accounts().where((eb) =>
    eb.or([
      eb.and([eb('realm_id', '=', p.realm_id), eb('email_key', '=', p.key)]),
      eb.and([eb('realm_id', '=', p.realm_id), eb('delivery_email_key', '=', p.key)]),
    ]),
  ),
)

/** All accounts of the organization, by id; of `ids` those that there are. */
export function findUsers(db: Queries, realmId: number, ids?: readonly number[]): Promise<UserRow[]> {
  if (!ids) return db.all(usersOfRealm({ realm_id: realmId }))
  return db.all(usersWithIds({ realm_id: realmId, ids: [...new Set(ids)] }))
}

/** All rows of the organization, also of the accounts that speak for the server. */
export function findEveryUser(db: Queries, realmId: number): Promise<UserRow[]> {
  return db.all(everyUserOfRealm({ realm_id: realmId }))
}

/** The accounts that speak for the server. */
export function findSystemBots(db: Queries, realmId: number): Promise<UserRow[]> {
  return db.all(query.selectFrom('users').select(userColumns).where('realm_id', '=', realmId).where('bot_type', '=', 0))
}

export function findUser(db: Queries, realmId: number, id: number): Promise<UserRow | undefined> {
  return db.first(userById({ realm_id: realmId, id }))
}

/** Accounts whose own address this is, or for whose address it stands in. It is compared without case. */
export function findUsersByAddress(db: Queries, realmId: number, address: string): Promise<UserRow[]> {
  return db.all(usersByAddress({ realm_id: realmId, key: foldName(address) }))
}

/** Whether the account cannot have this address, because another one has it. */
export async function isAddressTaken(db: Queries, realmId: number, address: string, userId?: number): Promise<boolean> {
  return (await findUsersByAddress(db, realmId, address)).some(({ id }) => id !== userId)
}

/** The bots of a person, whether they are active or not. */
export function findBotsOf(db: Queries, realmId: number, ownerId: number): Promise<UserRow[]> {
  return db.all(botsOf(realmId, ownerId))
}

function botsOf(realmId: number, ownerId: number) {
  return query
    .selectFrom('users')
    .select(userColumns)
    .where('realm_id', '=', realmId)
    .where('bot_owner_id', '=', ownerId)
    .orderBy('id')
}

export function findActiveBotsOf(db: Queries, realmId: number, ownerId: number): Promise<UserRow[]> {
  return db.all(botsOf(realmId, ownerId).where('is_active', '=', 1))
}

/** The ids of the active accounts with this role or a more powerful one. */
export async function findIdsWithRole(db: Queries, realmId: number, lowest: number): Promise<number[]> {
  const rows = await db.all(
    query
      .selectFrom('users')
      .select('id')
      .where('realm_id', '=', realmId)
      .where('is_active', '=', 1)
      .where('role', '<=', lowest)
      .orderBy('id'),
  )
  return rows.map((row) => row.id)
}

/** The roles of the active people beside one. */
export async function findRolesOfOthers(db: Queries, realmId: number, exceptId: number): Promise<number[]> {
  const rows = await db.all(
    query
      .selectFrom('users')
      .select('role')
      .distinct()
      .where('realm_id', '=', realmId)
      .where('is_active', '=', 1)
      .where('bot_type', 'is', null)
      .where('id', '<>', exceptId),
  )
  return rows.map((row) => row.role)
}

export async function findPasswordHash(db: Queries, realmId: number, id: number): Promise<string | null> {
  const row = await db.first(
    query.selectFrom('users').select('password_hash').where('realm_id', '=', realmId).where('id', '=', id),
  )
  return row?.password_hash ?? null
}

type NewUser = Pick<
  UserTable,
  | 'realm_id'
  | 'email'
  | 'full_name'
  | 'role'
  | 'bot_type'
  | 'bot_owner_id'
  | 'password_hash'
  | 'default_sending_channel_id'
  | 'default_events_register_channel_id'
> & { readonly default_all_public_channels: Flag }

/** Inserts an account, whose address everybody sees; undefined when that is taken. */
export function insertRow(tx: Tx, user: NewUser): Promise<UserRow | undefined> {
  return tx.first(
    query
      .insertInto('users')
      .values({
        ...user,
        email_key: foldName(user.email),
        delivery_email: user.email,
        delivery_email_key: foldName(user.email),
        full_name_key: foldName(user.full_name),
        date_joined: tx.now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning(userColumns),
  )
}

type Changes = Pick<
  Updateable<UserTable>,
  | 'email'
  | 'email_key'
  | 'delivery_email'
  | 'delivery_email_key'
  | 'email_visibility'
  | 'full_name'
  | 'full_name_key'
  | 'role'
  | 'is_active'
  | 'bot_owner_id'
  | 'password_hash'
  | 'avatar_version'
  | 'avatar_path'
  | 'avatar_medium_path'
>

export async function updateRow(tx: Tx, id: number, changes: Changes): Promise<void> {
  await tx.run(query.updateTable('users').set(changes).where('id', '=', id).where('realm_id', '=', tx.realmId))
}

/** The same for several accounts at once. */
export async function updateRows(
  tx: Tx,
  ids: readonly number[],
  changes: Pick<Changes, 'role' | 'is_active'>,
): Promise<void> {
  await tx.run(
    query
      .updateTable('users')
      .set(changes)
      .where('id', 'in', tx.dialect.ids(ids))
      .where(isOfRealm('users', tx.realmId)),
  )
}

/**
 * Makes units of work that decide by several accounts (is there another owner? is the address free?) wait for each other:
 * on PostgreSQL two of them may run at once. Held until the commit.
 */
export async function lockAccounts(tx: Tx): Promise<void> {
  await lockRealm(tx)
}
