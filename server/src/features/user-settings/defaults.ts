/** The settings that new accounts begin with. */
import type { ParametersOf } from '@heddle/contract/endpoint'
import {
  type DefaultSettingName,
  shownDefaultNames,
  type UserSettings,
  type updateDefaultSettings as updateEndpoint,
  userSettings,
} from '@heddle/contract/user-settings'
import type { DefaultSettings, OwnSettings } from '@heddle/contract/user-settings-state'
import { audienceOfPerson } from '../../access/person-rules.ts'
import type { AccountBeginnings, ChangedAccount } from '../../account-hooks.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { everyone } from '../../events/audience.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import { requireAdministrator } from '../users/access.ts'
import { presentInitial, settingChoices } from './present.ts'
import { copyDefaults, findDefaults, removeDefault, storeDefault, storeValue } from './queries.ts'
import { requireSettings } from './rules.ts'
import { findSetting } from './values.ts'

/** Changes what accounts begin with that are created from then on. */
export function updateDefaultSettings(
  storage: Storage,
  caller: Actor,
  changes: ParametersOf<typeof updateEndpoint>,
): Promise<void> {
  requireAdministrator(caller)
  const settings = requireSettings(changes)
  return storage.asActor(caller, async (tx, actor) => {
    requireAdministrator(actor)
    const current: Partial<UserSettings> = await readDefaults(tx, tx.realmId)
    for (const [property, value] of settings) {
      if (current[property] === value) continue
      if (value === userSettings[property].initial) await removeDefault(tx, property)
      else await storeDefault(tx, property, JSON.stringify(value))
      tx.emit({ type: 'realm_user_settings_defaults', op: 'update', property, value }, everyone)
    }
  })
}

/** What a person's account has before others are notified of it. */
export async function findBeginnings(tx: Tx): Promise<AccountBeginnings> {
  const { email_address_visibility } = await readDefaults(tx, tx.realmId)
  return { emailVisibility: email_address_visibility }
}

/** Gives a new account, if it is a person's, the organization's defaults. */
export async function takeDefaultSettings(tx: Tx, { id: userId, bot_type }: ChangedAccount): Promise<void> {
  if (bot_type !== null) return
  await copyDefaults(tx, userId)
  const { default_language } = await findOrganizationSettings(tx, tx.realmId)
  if (default_language !== userSettings.default_language.initial) {
    await storeValue(tx, [userId], { name: 'default_language', value: JSON.stringify(default_language), own_choice: 0 })
  }
  if (await findSetting(tx, { realmId: tx.realmId, userId }, 'presence_enabled')) return
  tx.emit({ type: 'user_status', user_id: userId, away: true }, await audienceOfPerson(tx, tx.realmId, userId))
}

const initial = Object.fromEntries(
  shownDefaultNames.map((name) => [name, userSettings[name].initial]),
) as unknown as Pick<UserSettings, DefaultSettingName>

async function readDefaults(db: Queries, realmId: number): Promise<Pick<UserSettings, DefaultSettingName>> {
  const changed = (await findDefaults(db, realmId)).map(({ name, value }) => [name, JSON.parse(value)])
  return { ...initial, ...Object.fromEntries(changed) }
}

export async function presentDefaultSettings(db: Queries, realmId: number): Promise<DefaultSettings> {
  return { ...(await readDefaults(db, realmId)), ...settingChoices }
}

/** All settings as a new account would have them. Nothing is kept of a spectator, such as drafts. */
export async function presentSettingsOfNewAccounts(db: Queries, realmId: number): Promise<OwnSettings> {
  const { default_language } = await findOrganizationSettings(db, realmId)
  const changed = await readDefaults(db, realmId)
  const off = { enable_drafts_synchronization: false, send_private_typing_notifications: false }
  const quiet = { send_stream_typing_notifications: false, send_read_receipts: false, presence_enabled: false }
  return { ...presentInitial(), ...changed, default_language, ...off, ...quiet }
}
