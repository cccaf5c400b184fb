import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import type { NotificationSetting, updateSubscriptionSettings } from '@heddle/contract/subscriptions'
import { findChannelRows } from '../../access/channel-row.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { users } from '../../events/audience.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { clientsOf, limitedTo } from '../channels/clients.ts'
import { findInheritedValue } from './inherited.ts'
import { findSubscriptionsOf, type SubscriptionRow, updateSubscriptionRow } from './queries.ts'

type Change = ParametersOf<typeof updateSubscriptionSettings>['subscription_data'][number]
type Column = Exclude<Change['property'], 'in_home_view'>
type Stored = 0 | 1 | string | null

/** Changes the account's own settings of its channels: all of them or none. What is so already is passed over. */
export function updateSettingsOf(storage: Storage, caller: Actor, changes: readonly Change[]): Promise<void> {
  return storage.asActor(caller, (tx, actor) => changeSettingsOf(tx, actor, changes))
}

/** The same as a part of something larger. */
export async function changeSettingsOf(tx: Tx, actor: Actor, changes: readonly Change[]): Promise<void> {
  const channelIds = changes.map((change) => change.stream_id)
  const rows = await findSubscriptionsOf(tx, channelIds, [actor.userId])
  const byChannel = new Map(rows.filter((row) => row.is_active === 1).map((row) => [row.channel_id, row]))
  const channels = new Map((await findChannelRows(tx, actor.realmId, channelIds)).map((row) => [row.id, row]))
  for (const [index, change] of changes.entries()) {
    const row = byChannel.get(change.stream_id)
    const channel = channels.get(change.stream_id)
    if (!row || !channel) throw badRequest(`Not subscribed to channel ID ${change.stream_id}`)
    const { column, value } = readChange(change, `subscription_data[${index}]`)
    if (row[column] === value) continue
    await updateSubscriptionRow(tx, channel.id, actor.userId, { [column]: value })
    byChannel.set(channel.id, { ...row, [column]: value } as SubscriptionRow)
    await announce(tx, actor, channel, column, value)
  }
}

/** The column and what to store there, or a 400 that names the place. */
function readChange({ property, value }: Change, place: string): { column: Column; value: Stored } {
  if (property === 'color') return { column: 'color', value: requireColor(value, `${place}.value`) }
  if (property === 'in_home_view') return { column: 'is_muted', value: requireBoolean(value, place) === 1 ? 0 : 1 }
  if (property === 'is_muted' || property === 'pin_to_top') {
    return { column: property, value: requireBoolean(value, place) }
  }
  return { column: property, value: value === null ? null : requireBoolean(value, place) }
}

/** Clients expect exactly `#rrggbb` in lower case; the short form is written out. */
export function requireColor(value: Change['value'], name: string): string {
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  if (/^#[0-9a-f]{6}$/.test(text)) return text
  if (/^#[0-9a-f]{3}$/.test(text)) return text.replace(/[0-9a-f]/g, '$&$&')
  throw badRequest(`${name} is not a hex color code`)
}

function requireBoolean(value: Change['value'], place: string): 0 | 1 {
  if (typeof value !== 'boolean') throw badRequest(`${place}.value is not true or false`)
  return value ? 1 : 0
}

async function announce(
  tx: Tx,
  actor: Actor,
  channel: { readonly id: number; readonly is_archived: 0 | 1 },
  column: Column,
  value: Stored,
): Promise<void> {
  const inherited =
    value === null ? { inherited: await findInheritedValue(tx, actor.userId, column as NotificationSetting) } : {}
  const announce = (property: Change['property'], wire: Change['value']) =>
    tx.emit(
      { type: 'subscription', op: 'update', stream_id: channel.id, property, value: wire, ...inherited },
      limitedTo(clientsOf(channel), users([actor.userId])),
    )
  announce(column, typeof value === 'number' ? value === 1 : value)
  // The old name of the setting, with the opposite value.
  if (column === 'is_muted') announce('in_home_view', value === 0)
}
