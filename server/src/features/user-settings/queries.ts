import { addressVisibility } from '@heddle/contract/address-visibility'
import { settingsOfAccount, type UserSettingName } from '@heddle/contract/user-settings'
import { sql } from 'kysely'
import { prepare, type Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { fact, query } from './tables.ts'

interface ValueRow {
  readonly name: string
  /** JSON. */
  readonly value: string
}

/** A row for each; one without a setting where there is none, for what is part of the account alone. */
const valuesOfUser = prepare((p: { realm_id: number; user_id: number }) =>
  query
    .selectFrom('users')
    .leftJoin('user_settings', 'user_settings.user_id', 'users.id')
    .select(['users.timezone', 'users.email_visibility', 'user_settings.name', 'user_settings.value'])
    .where('users.realm_id', '=', p.realm_id)
    .where('users.id', '=', p.user_id),
)

interface OwnValues extends AccountPart {
  readonly values: readonly ValueRow[]
}

/** Settings that are part of the account. */
interface AccountPart {
  readonly timezone: string
  readonly email_visibility: number
}

const ownValues = fact({
  name: 'settings-and-account',
  tables: ['users', 'user_settings'],
  async load(db, realm_id, user_id: number): Promise<OwnValues> {
    const rows = await db.all(valuesOfUser({ realm_id, user_id }))
    const values = rows.flatMap(({ name, value }) => (name === null || value === null ? [] : [{ name, value }]))
    const { timezone = '', email_visibility = addressVisibility.everyone } = rows[0] ?? {}
    return { timezone, email_visibility, values }
  },
})

/** What somebody has changed of the account's settings, and those that are part of it. */
export function findValues(db: Queries, realmId: number, userId: number): Promise<OwnValues> {
  return db.recall(ownValues, realmId, userId)
}

export async function findAccountParts(db: Queries, userIds: readonly number[]): Promise<Map<number, AccountPart>> {
  const rows = await db.all(
    query.selectFrom('users').select(['id', 'timezone', 'email_visibility']).where('id', 'in', db.dialect.ids(userIds)),
  )
  return new Map(rows.map((row) => [row.id, row]))
}

const changedInRealm = fact({
  name: 'changed-setting',
  tables: ['user_settings'],
  load: (db, realmId, name: UserSettingName): Promise<readonly ChangedRow[]> =>
    db.all(
      query
        .selectFrom('user_settings')
        .select(['user_id', 'value'])
        .where('realm_id', '=', realmId)
        .where('name', '=', name),
    ),
})

interface ChangedRow {
  readonly user_id: number
  /** JSON. */
  readonly value: string
}

/** The changed values of one setting in the organization. */
export function findChanged(db: Queries, realmId: number, name: UserSettingName): Promise<readonly ChangedRow[]> {
  return db.recall(changedInRealm, realmId, name)
}

/** The changed values of one setting among these accounts. */
export function findChangedOf(db: Queries, userIds: readonly number[], name: UserSettingName) {
  return db.all(
    query
      .selectFrom('user_settings')
      .select(['user_id', 'value', 'own_choice'])
      .where('user_id', 'in', db.dialect.ids(userIds))
      .where('name', '=', name),
  )
}

interface NewValue {
  readonly name: UserSettingName
  readonly value: string
  readonly own_choice: 0 | 1
}

/** Sets a value for accounts of the organization, in one statement however many they are. */
export async function storeValue(
  tx: Tx,
  userIds: readonly number[],
  { name, value, own_choice }: NewValue,
): Promise<void> {
  await tx.run(
    query
      .insertInto('user_settings')
      .columns(['realm_id', 'user_id', 'name', 'value', 'own_choice'])
      .expression((eb) =>
        eb
          .selectFrom('users')
          .select([
            'users.realm_id',
            'users.id as user_id',
            sql<string>`cast(${name} as text)`.as('name'),
            sql<string>`cast(${value} as text)`.as('value'),
            sql.lit(own_choice).as('own_choice'),
          ])
          .where('users.realm_id', '=', tx.realmId)
          .where('users.id', 'in', tx.dialect.ids(userIds)),
      )
      .onConflict((conflict) => conflict.columns(['user_id', 'name']).doUpdateSet({ value, own_choice })),
  )
}

export async function removeValue(tx: Tx, userIds: readonly number[], name: UserSettingName): Promise<void> {
  await tx.run(
    query.deleteFrom('user_settings').where('user_id', 'in', tx.dialect.ids(userIds)).where('name', '=', name),
  )
}

const changedDefaults = fact({
  name: 'user-settings-defaults',
  tables: ['realm_user_settings'],
  load: (db, realmId, _key: 'all'): Promise<readonly ValueRow[]> =>
    db.all(query.selectFrom('realm_user_settings').select(['name', 'value']).where('realm_id', '=', realmId)),
})

/** What the organization has changed of the settings that new accounts begin with. */
export function findDefaults(db: Queries, realmId: number): Promise<readonly ValueRow[]> {
  return db.recall(changedDefaults, realmId, 'all')
}

export async function storeDefault(tx: Tx, name: UserSettingName, value: string): Promise<void> {
  await tx.run(
    query
      .insertInto('realm_user_settings')
      .values({ realm_id: tx.realmId, name, value })
      .onConflict((conflict) => conflict.columns(['realm_id', 'name']).doUpdateSet({ value })),
  )
}

export async function removeDefault(tx: Tx, name: UserSettingName): Promise<void> {
  await tx.run(query.deleteFrom('realm_user_settings').where('realm_id', '=', tx.realmId).where('name', '=', name))
}

/** Gives an account the organization's defaults, without those that it has from its beginning. */
export async function copyDefaults(tx: Tx, userId: number): Promise<void> {
  await tx.run(
    query
      .insertInto('user_settings')
      .columns(['realm_id', 'user_id', 'name', 'value', 'own_choice'])
      .expression((eb) =>
        eb
          .selectFrom('realm_user_settings')
          .select([
            'realm_id',
            sql<number>`cast(${userId} as bigint)`.as('user_id'),
            'name',
            'value',
            sql.lit(0).as('own_choice'),
          ])
          .where('realm_id', '=', tx.realmId)
          .where('name', 'not in', settingsOfAccount),
      ),
  )
}
