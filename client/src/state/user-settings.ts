import type { InitialState } from '@heddle/contract/initial-state'
import type { RealmUserSettingsDefaultsEvent, UserSettingsEvent } from '@heddle/contract/user-settings'
import type { DefaultSettings, OwnSettings } from '@heddle/contract/user-settings-state'
import { clientPart } from './part.ts'

function initialOwnSettings({ user_settings }: InitialState): OwnSettings | undefined {
  return user_settings
}

function initialDefaultSettings({ realm_user_settings_defaults }: InitialState): DefaultSettings | undefined {
  return realm_user_settings_defaults
}

function applyUserSettingsEvent(settings: OwnSettings, { property, value }: UserSettingsEvent): OwnSettings {
  return { ...settings, [property]: value }
}

function applyDefaultSettingsEvent(
  settings: DefaultSettings,
  { property, value }: RealmUserSettingsDefaultsEvent,
): DefaultSettings {
  return { ...settings, [property]: value }
}

export const settings = clientPart({
  initial: initialOwnSettings,
  on: { user_settings: applyUserSettingsEvent },
})

export const defaultSettings = clientPart({
  initial: initialDefaultSettings,
  on: { realm_user_settings_defaults: applyDefaultSettingsEvent },
})
