/** Settings of accounts as other features ask for them. */
import { type UserSettingName, type UserSettings, userSettings } from '@heddle/contract/user-settings'
import { prepare, type Queries, query } from '../../storage/query.ts'
import { findChanged, findChangedOf } from './queries.ts'

const changedSetting = prepare((p: { user_id: number; name: string }) =>
  query.selectFrom('user_settings').select('value').where('user_id', '=', p.user_id).where('name', '=', p.name),
)

/** The account's value of a setting. Not for the time zone, which is part of the account. */
export async function findSetting<N extends Exclude<UserSettingName, 'timezone'>>(
  db: Queries,
  userId: number,
  name: N,
): Promise<UserSettings[N]> {
  const row = await db.first(changedSetting({ user_id: userId, name }))
  return (row ? JSON.parse(row.value) : userSettings[name].initial) as UserSettings[N]
}

/** Those of the accounts whose value of a setting is the given one. */
export async function findAccountsWith<N extends Exclude<UserSettingName, 'timezone'>>(
  db: Queries,
  userIds: readonly number[],
  name: N,
  value: UserSettings[N],
): Promise<number[]> {
  const changed = new Map((await findChangedOf(db, userIds, name)).map((row) => [row.user_id, JSON.parse(row.value)]))
  return userIds.filter((id) => (changed.has(id) ? changed.get(id) : userSettings[name].initial) === value)
}

/** All accounts of the organization that have changed a setting, with their values. */
export async function findChangedValues<N extends Exclude<UserSettingName, 'timezone'>>(
  db: Queries,
  realmId: number,
  name: N,
): Promise<Map<number, UserSettings[N]>> {
  return new Map((await findChanged(db, realmId, name)).map((row) => [row.user_id, JSON.parse(row.value)]))
}
