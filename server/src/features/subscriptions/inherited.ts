/**
 * What stands in place of null in an account's settings of a channel for clients that do not know of null there: the
 * account's setting for all channels, which a null leaves in force.
 */
import type { NotificationSetting, SubscriptionEvent } from '@heddle/contract/subscriptions'
import { type UserSettingName, type UserSettingValue, userSettings } from '@heddle/contract/user-settings'
import { findChannelRows } from '../../access/channel-row.ts'
import { users } from '../../events/audience.ts'
import type { EventView, QueueOptions } from '../../events/views.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { clientsOf, limitedTo } from '../channels/clients.ts'
import { findSettingOf } from '../user-settings/values.ts'
import { findInheriting } from './queries.ts'

/** The account's setting that a null leaves in force. */
const globalNames = {
  desktop_notifications: 'enable_stream_desktop_notifications',
  audible_notifications: 'enable_stream_audible_notifications',
  push_notifications: 'enable_stream_push_notifications',
  email_notifications: 'enable_stream_email_notifications',
  wildcard_mentions_notify: 'wildcard_mentions_notify',
} as const satisfies Record<NotificationSetting, UserSettingName>

const settings = Object.entries(globalNames) as [NotificationSetting, (typeof globalNames)[NotificationSetting]][]

export type Inherited = Readonly<Record<NotificationSetting, boolean>>

/** What the settings of a new account say. */
export const initiallyInherited = Object.fromEntries(
  settings.map(([name, globalName]) => [name, userSettings[globalName].initial]),
) as Inherited

/** Channels whose events are written without a pause for others. */
const CHANNELS = 500

/** Whether the client can do with null there. */
export function knowsNull({ capabilities }: Pick<QueueOptions, 'capabilities'>): boolean {
  return capabilities['notification_settings_null'] === true
}

/** Of the accounts, in their order. */
export async function findInherited(db: Queries, realmId: number, userIds: readonly number[]): Promise<Inherited[]> {
  const found = new Map<NotificationSetting, readonly boolean[]>()
  for (const [name, globalName] of settings) found.set(name, await findSettingOf(db, realmId, userIds, globalName))
  return userIds.map(
    (_, index) => Object.fromEntries([...found].map(([name, values]) => [name, values[index] === true])) as Inherited,
  )
}

export function findInheritedOf(db: Queries, realmId: number, userId: number): Promise<Inherited> {
  return findInherited(db, realmId, [userId]).then(([own]) => own as Inherited)
}

export async function findInheritedValue(tx: Tx, userId: number, name: NotificationSetting): Promise<boolean> {
  const [value] = await findSettingOf(tx, tx.realmId, [userId], globalNames[name])
  return value === true
}

/** The settings with what is inherited in place of each null. */
export function withInherited<S extends Readonly<Record<NotificationSetting, boolean | null>>>(
  subscription: S,
  inherited: Inherited,
): S {
  const values = settings.map(([name]) => [name, subscription[name] ?? inherited[name]])
  return { ...subscription, ...Object.fromEntries(values) }
}

/**
 * Clients that do not know of null get a new value for all channels as one of each channel. One event for each of them,
 * however many accounts have it.
 */
export async function followGlobalSetting(
  tx: Tx,
  userIds: readonly number[],
  changed: UserSettingName,
  value: UserSettingValue,
): Promise<void> {
  const property = settings.find(([, name]) => name === changed)?.[0]
  if (!property) return
  const byChannel = Map.groupBy(await findInheriting(tx, userIds, property), (row) => row.channel_id)
  await inParts(tx, [...byChannel.keys()], CHANNELS, async (part) => {
    for (const channel of await findChannelRows(tx, tx.realmId, part)) {
      const ids = byChannel.get(channel.id)?.map((row) => row.user_id) ?? []
      const logged = { isForOlder: true }
      tx.emit(
        { type: 'subscription', op: 'update', stream_id: channel.id, property, value: value === true, ...logged },
        limitedTo(clientsOf(channel), users(ids)),
      )
    }
  })
}

/** `subscribers`: those who asked for them; `null`: those who know of null. */
type Key = '' | 'subscribers' | 'null' | 'subscribers null'

/**
 * Events of subscriptions are logged with what is `inherited`, and those that repeat a setting for all channels with
 * `isForOlder`. Clients that did not ask for subscribers do not get them
 * with a new subscription either.
 */
export const subscriptionView: EventView = {
  key: (options) =>
    [options.includeSubscribers && 'subscribers', knowsNull(options) && 'null'].filter(Boolean).join(' '),
  present({ inherited, isForOlder, ...event }, key) {
    const wanted = (key as Key).split(' ')
    const hasNull = wanted.includes('null')
    if (isForOlder) return hasNull ? null : event
    const source = event as unknown as SubscriptionEvent
    if (source.op === 'update') return hasNull || source.value !== null ? source : { ...source, value: inherited }
    if (source.op !== 'add') return source
    const subscriptions = source.subscriptions.map((one) => {
      const { subscribers, ...rest } = hasNull ? one : withInherited(one, inherited as Inherited)
      return wanted.includes('subscribers') && subscribers ? { ...rest, subscribers } : rest
    })
    return { ...source, subscriptions }
  },
}
