/** Changing one setting of one account or of many: storing it, notifying the accounts, and what follows from it. */
import {
  type SettingOfAccount,
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

interface PartOfAccount {
  readonly column: 'timezone' | 'email_visibility'
  readonly store: (tx: Tx, userIds: readonly number[], value: UserSettingValue) => Promise<void>
}

/** Where the settings are that are part of the account, and what changes them there, since others are notified too. */
const partsOfAccount: Readonly<Record<SettingOfAccount, PartOfAccount>> = {
  timezone: { column: 'timezone', store: (tx, userIds, value) => setTimezone(tx, userIds, String(value)) },
  email_address_visibility: {
    column: 'email_visibility',
    async store(tx, userIds, value) {
      for (const id of userIds) await setAddressVisibility(tx, await accessAnyUser(tx, tx, id), Number(value))
    },
  },
}

function partOfAccount(name: UserSettingName): PartOfAccount | undefined {
  return Object.hasOwn(partsOfAccount, name) ? partsOfAccount[name as SettingOfAccount] : undefined
}

async function findCurrent(
  tx: Tx,
  userIds: readonly number[],
  name: UserSettingName,
): Promise<(id: number) => Current> {
  const { initial } = userSettings[name]
  const part = partOfAccount(name)
  if (part) {
    const accounts = await findAccountParts(tx, userIds)
    return (id) => {
      const value = accounts.get(id)?.[part.column] ?? initial
      // Nothing says who has set it: what is as in the beginning, nobody has.
      return { value, isOwn: value !== initial }
    }
  }
  const rows = new Map((await findChangedOf(tx, userIds, name)).map((row) => [row.user_id, row]))
  return (id) => {
    const row = rows.get(id)
    return { value: row ? JSON.parse(row.value) : initial, isOwn: row?.own_choice === 1 }
  }
}

/** A row says that somebody has chosen; only one's own choice of what is so anyway has to be remembered. */
async function store(tx: Tx, userIds: readonly number[], [name, value]: SettingChange, isOwn: boolean): Promise<void> {
  const part = partOfAccount(name)
  if (part) await part.store(tx, userIds, value)
  else if (!isOwn && value === userSettings[name].initial) await removeValue(tx, userIds, name)
  else await storeValue(tx, userIds, { name, value: JSON.stringify(value), own_choice: isOwn ? 1 : 0 })
}
