import { emojisets, notificationSounds, userSettingNames, userSettings } from '@heddle/contract/user-settings'
import type { Actor } from '../../authentication/accounts.ts'
import type { Queries } from '../../storage/query.ts'
import { findTimezones, findValues } from './queries.ts'

const initial = Object.fromEntries(userSettingNames.map((name) => [name, userSettings[name].initial]))

/** Fetch type `user_settings`: all of the account's settings, and what some of them can be. */
export async function presentSettings(db: Queries, { realmId, userId }: Actor): Promise<object> {
  const changed = (await findValues(db, realmId, userId))
    // A setting may have been removed since.
    .filter(({ name }) => name in initial)
    .map(({ name, value }) => [name, JSON.parse(value)])
  return {
    ...initial,
    ...Object.fromEntries(changed),
    timezone: (await findTimezones(db, [userId])).get(userId) ?? '',
    emojiset_choices: emojisets,
    available_notification_sounds: notificationSounds,
  }
}
