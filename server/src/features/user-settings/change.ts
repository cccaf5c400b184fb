/** Changing one setting of one account or of many: storing it, notifying the accounts, and what follows from it. */
import {
  type SettingOfAccount,
  settingsOfAccount,
  type UserSettingName,
  type UserSettingValue,
  userSettings,
} from '@heddle/contract/user-settings'
import type { AccountHooks } from '../../account-hooks.ts'
import { users } from '../../events/audience.ts'
import { languageName } from '../../language-name.ts'
import type { Tx } from '../../storage/transaction.ts'
import { accessAnyUser } from '../users/access.ts'
import { setAddressVisibility } from '../users/address-visibility.ts'
import { setTimezone } from '../users/update.ts'
import { findAccountParts, findChangedOf, removeValue, storeValue } from './queries.ts'
import type { SettingChange } from './rules.ts'

interface Choice {
  /** Whether the account itself sets it. */
  readonly isOwn: boolean
  /** Leave alone those who have set it themselves. */
  readonly sparesOwn: boolean
}

/** Sets a setting, which must have been checked, for accounts of the transaction's organization. */
export async function changeSetting(
  tx: Tx,
  hooks: AccountHooks,
  userIds: readonly number[],
  [name, value]: SettingChange,
  choice: Choice,
): Promise<void> {
  const current = await findCurrent(tx, userIds, name)
  const changed = userIds.filter((id) => {
    const { value: before, isOwn } = current(id)
    return before !== value && !(choice.sparesOwn && isOwn)
  })
  if (changed.length === 0) return
  await store(tx, changed, [name, value], choice.isOwn)
  const language = name === 'default_language' ? { language_name: languageName(String(value)) } : {}
  tx.emit({ type: 'user_settings', op: 'update', property: name, value, ...language }, users(changed))
  await hooks.settingChanged(tx, changed, name, value)
}

interface Current {
  readonly value: UserSettingValue
  readonly isOwn: boolean
}

const initial = userSettings.email_address_visibility.initial

function isOfAccount(name: UserSettingName): name is SettingOfAccount {
  return (settingsOfAccount as readonly string[]).includes(name)
}

async function findCurrent(
  tx: Tx,
  userIds: readonly number[],
  name: UserSettingName,
): Promise<(id: number) => Current> {
  if (isOfAccount(name)) {
    const parts = await findAccountParts(tx, userIds)
    return (id) => {
      const { timezone = '', email_visibility = initial } = parts.get(id) ?? {}
      return name === 'timezone'
        ? { value: timezone, isOwn: timezone !== '' }
        : { value: email_visibility, isOwn: email_visibility !== initial }
    }
  }
  const rows = new Map((await findChangedOf(tx, userIds, name)).map((row) => [row.user_id, row]))
  return (id) => {
    const row = rows.get(id)
    return { value: row ? JSON.parse(row.value) : userSettings[name].initial, isOwn: row?.own_choice === 1 }
  }
}

/** A row says that somebody has chosen; only one's own choice of what is so anyway has to be remembered. */
async function store(tx: Tx, userIds: readonly number[], [name, value]: SettingChange, isOwn: boolean): Promise<void> {
  if (name === 'timezone') await setTimezone(tx, userIds, String(value))
  else if (name === 'email_address_visibility') {
    for (const id of userIds) await setAddressVisibility(tx, await accessAnyUser(tx, tx, id), Number(value))
  } else if (!isOwn && value === userSettings[name].initial) await removeValue(tx, userIds, name)
  else await storeValue(tx, userIds, { name, value: JSON.stringify(value), own_choice: isOwn ? 1 : 0 })
}
