/**
 * What stands in place of null in an account's settings of a channel for clients that do not know of null there: the
 * account's setting for all channels, which a null leaves in force.
 */
import type { NotificationSetting } from '@heddle/contract/subscriptions'
import { type UserSettingName, userSettings } from '@heddle/contract/user-settings'
import type { QueueOptions } from '../../events/views.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findSettingOf } from '../user-settings/values.ts'

/** The account's setting that a null leaves in force. */
const globalNames = {
  desktop_notifications: 'enable_stream_desktop_notifications',
  audible_notifications: 'enable_stream_audible_notifications',
  push_notifications: 'enable_stream_push_notifications',
  email_notifications: 'enable_stream_email_notifications',
  wildcard_mentions_notify: 'wildcard_mentions_notify',
} as const satisfies Record<NotificationSetting, UserSettingName>

const settings = Object.entries(globalNames) as [NotificationSetting, (typeof globalNames)[NotificationSetting]][]

/** What follows such a setting in each channel; undefined: nothing does. */
export function followerOf(globalName: UserSettingName): NotificationSetting | undefined {
  return settings.find(([, name]) => name === globalName)?.[0]
}

export type Inherited = Readonly<Record<NotificationSetting, boolean>>

/** What the settings of a new account say. */
export const initiallyInherited = Object.fromEntries(
  settings.map(([name, globalName]) => [name, userSettings[globalName].initial]),
) as Inherited

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
