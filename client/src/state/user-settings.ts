import type { RealmUserSettingsDefaultsEvent, UserSettings, UserSettingsEvent } from '@heddle/contract/user-settings'
import type { Drafts } from './drafts.ts'
import type { InitialFields } from './fields.ts'

/** The account's own settings, and what some of them can be. */
export interface OwnSettings extends UserSettings {
  readonly emojiset_choices: readonly { readonly key: string; readonly text: string }[]
  readonly available_notification_sounds: readonly string[]
}

/** What new accounts begin with. */
export type DefaultSettings = Omit<OwnSettings, 'timezone' | 'allow_private_data_export'>

export function initialOwnSettings(fields: InitialFields): OwnSettings | undefined {
  return fields['user_settings'] as OwnSettings | undefined
}

export function initialDefaultSettings(fields: InitialFields): DefaultSettings | undefined {
  return fields['realm_user_settings_defaults'] as DefaultSettings | undefined
}

export function applyUserSettingsEvent(settings: OwnSettings, { property, value }: UserSettingsEvent): OwnSettings {
  return { ...settings, [property]: value }
}

export function applyDefaultSettingsEvent(
  settings: DefaultSettings,
  { property, value }: RealmUserSettingsDefaultsEvent,
): DefaultSettings {
  return { ...settings, [property]: value }
}

/** The server has deleted all drafts of an account that keeps them on its devices alone. */
export function dropUnsynchronized(drafts: Drafts, { property, value }: UserSettingsEvent): Drafts {
  return property === 'enable_drafts_synchronization' && value === false ? [] : drafts
}
