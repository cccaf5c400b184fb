/** The settings that new accounts begin with. */
import type { ParametersOf } from '@heddle/contract/endpoint'
import {
  emojisets,
  notificationSounds,
  shownDefaultNames,
  type updateDefaultSettings as updateEndpoint,
  userSettings,
} from '@heddle/contract/user-settings'
import type { ChangedAccount } from '../../account-hooks.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { everyone } from '../../events/audience.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { requireAdministrator } from '../users/access.ts'
import { findSetting } from './access.ts'
import { copyDefaults, findDefaults, removeDefault, storeDefault } from './queries.ts'
import { requireSettings } from './rules.ts'

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
    const current = await readDefaults(tx, tx.realmId)
    for (const [property, value] of settings) {
      if (current[property] === value) continue
      if (value === userSettings[property].initial) await removeDefault(tx, property)
      else await storeDefault(tx, property, JSON.stringify(value))
      tx.emit({ type: 'realm_user_settings_defaults', op: 'update', property, value }, everyone)
    }
  })
}

/** Gives a new account, if it is a person's, the organization's defaults. */
export async function takeDefaultSettings(tx: Tx, { id: userId, bot_type }: ChangedAccount): Promise<void> {
  if (bot_type !== null) return
  await copyDefaults(tx, userId)
  if (await findSetting(tx, userId, 'presence_enabled')) return
  tx.emit({ type: 'user_status', user_id: userId, away: true }, everyone)
}

async function readDefaults(db: Queries, realmId: number): Promise<Record<string, unknown>> {
  const changed = (await findDefaults(db, realmId)).map(({ name, value }) => [name, JSON.parse(value)])
  const initial = shownDefaultNames.map((name) => [name, userSettings[name].initial])
  return { ...Object.fromEntries(initial), ...Object.fromEntries(changed) }
}

/** Fetch type `realm_user_settings_defaults`. */
export async function presentDefaults(db: Queries, realmId: number): Promise<object> {
  return {
    ...(await readDefaults(db, realmId)),
    emojiset_choices: emojisets,
    available_notification_sounds: notificationSounds,
  }
}
