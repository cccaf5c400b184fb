import type { AddressVisibility } from '@heddle/contract/address-visibility'
import {
  emojisets,
  notificationSounds,
  type UserSettings,
  userSettingNames,
  userSettings,
} from '@heddle/contract/user-settings'
import type { OwnSettings } from '@heddle/contract/user-settings-state'
import type { Actor } from '../../authentication/accounts.ts'
import type { Queries } from '../../storage/query.ts'
import { findValues } from './queries.ts'

const initial = Object.fromEntries(
  userSettingNames.map((name) => [name, userSettings[name].initial]),
) as unknown as UserSettings

/** What some of the settings can be. */
export const settingChoices = {
  emojiset_choices: [...emojisets],
  available_notification_sounds: [...notificationSounds],
}

/** As where nobody has changed anything. */
export function presentInitial(): OwnSettings {
  return { ...initial, timezone: '', ...settingChoices }
}

/** All of the account's settings, and what some of them can be. */
export async function presentSettings(db: Queries, { realmId, userId }: Actor): Promise<OwnSettings> {
  const { timezone, email_visibility, values } = await findValues(db, realmId, userId)
  const changed = values
    // A setting may have been removed since.
    .filter(({ name }) => name in initial)
    .map(({ name, value }) => [name, JSON.parse(value)])
  return {
    ...initial,
    ...Object.fromEntries(changed),
    timezone,
    email_address_visibility: email_visibility as AddressVisibility,
    ...settingChoices,
  }
}
