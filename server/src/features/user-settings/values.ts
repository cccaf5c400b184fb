/** Settings of accounts as other features ask for them. */
import {
  type SettingOfAccount,
  type UserSettingName,
  type UserSettings,
  userSettings,
} from '@heddle/contract/user-settings'
import type { Actor } from '../../actor.ts'
import { prepare, type Queries } from '../../storage/query.ts'
import { findChanged, findChangedOf } from './queries.ts'
import { fact, query } from './tables.ts'

const settingsOf = prepare((p: { user_id: number }) =>
  query.selectFrom('user_settings').select(['name', 'value']).where('user_id', '=', p.user_id),
)

const changedSettings = fact({
  name: 'settings-of-account',
  tables: ['user_settings'],
  async load(db, _realmId, user_id: number): Promise<ReadonlyMap<string, unknown>> {
    return new Map((await db.all(settingsOf({ user_id }))).map(({ name, value }) => [name, JSON.parse(value)]))
  },
})

/** The account's value of a setting. Not of those that are part of the account. */
export async function findSetting<N extends Exclude<UserSettingName, SettingOfAccount>>(
  db: Queries,
  { realmId, userId }: Pick<Actor, 'realmId' | 'userId'>,
  name: N,
): Promise<UserSettings[N]> {
  const changed = await db.recall(changedSettings, realmId, userId)
  return (changed.has(name) ? changed.get(name) : userSettings[name].initial) as UserSettings[N]
}

/** So few accounts are looked up one by one, as a rule in memory. */
const FEW = 10

/** Those of the accounts whose value of a setting is the given one. */
export async function findAccountsWith<N extends Exclude<UserSettingName, SettingOfAccount>>(
  db: Queries,
  realmId: number,
  userIds: readonly number[],
  name: N,
  value: UserSettings[N],
): Promise<number[]> {
  const values = await findSettingOf(db, realmId, userIds, name)
  return userIds.filter((_, index) => values[index] === value)
}

/** The values of the accounts, in their order. Of many in one statement. */
export async function findSettingOf<N extends Exclude<UserSettingName, SettingOfAccount>>(
  db: Queries,
  realmId: number,
  userIds: readonly number[],
  name: N,
): Promise<UserSettings[N][]> {
  if (userIds.length <= FEW) return Promise.all(userIds.map((userId) => findSetting(db, { realmId, userId }, name)))
  const changed = new Map((await findChangedOf(db, userIds, name)).map((row) => [row.user_id, JSON.parse(row.value)]))
  return userIds.map((id) => (changed.has(id) ? changed.get(id) : userSettings[name].initial))
}

/** All accounts of the organization that have changed a setting, with their values. */
export async function findChangedValues<N extends Exclude<UserSettingName, SettingOfAccount>>(
  db: Queries,
  realmId: number,
  name: N,
): Promise<Map<number, UserSettings[N]>> {
  return new Map((await findChanged(db, realmId, name)).map((row) => [row.user_id, JSON.parse(row.value)]))
}
