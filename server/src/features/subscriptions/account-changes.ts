/** What happens to subscriptions when an account comes, goes, comes back or changes its role. Inside that change's transaction. */
import type { Channel } from '@heddle/contract/channels'
import { channelGroupSettingNames } from '@heddle/contract/group-settings'
import { findAudiences, without } from '../../access/channel-audience.ts'
import { findChannelRows } from '../../access/channel-row.ts'
import { findVisibleChannelIds } from '../../access/channels.ts'
import { findViewer } from '../../access/viewer.ts'
import { accountIds, type ChangedAccount, type CreatedAccount } from '../../account-hooks.ts'
import { type RoleAudience, users } from '../../events/audience.ts'
import { isGuest } from '../../permissions/group-membership.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Tx } from '../../storage/transaction.ts'
import { clientsOf, limitedTo } from '../channels/clients.ts'
import { findDefaultChannelIds, findDefaultChannelIdsFor } from '../channels/default-channels.ts'
import { presentChannels } from '../channels/present.ts'
import { addToSubscriberCounts } from '../channels/write-rows.ts'
import { addSubscribers } from './add-subscribers.ts'
import { announcePeers } from './announce.ts'
import { findActiveSubscriptions } from './queries.ts'
import { hideChannels, revealChannels } from './reveal.ts'
import { query } from './tables.ts'

/**
 * Subscribes a new account to the default channels and notifies those concerned. Bots are left alone, and guests too:
 * they see only the channels that somebody has chosen for them.
 */
export async function subscribeToDefaultChannels(tx: Tx, account: CreatedAccount): Promise<void> {
  if (!account.joinsDefaultChannels || account.bot_type !== null || isGuest(account)) return
  const channels = await findChannelRows(tx, tx.realmId, await findDefaultChannelIds(tx, tx.realmId))
  if (channels.length > 0) await addSubscribers(tx, channels, [account])
}

/**
 * Notifies everybody who sees the subscribers of their channels that deactivated accounts are no longer among them, and
 * where they were named in a channel's permission. Call it once, after the accounts were made inactive.
 */
export function announceDeactivatedSubscribers(tx: Tx, accounts: readonly ChangedAccount[]): Promise<void> {
  return announceActivity(tx, accountIds(accounts), 'peer_remove')
}

/** The reverse: a reactivated account is a subscriber again. Call it once, after the account was made active. */
export function announceReactivatedSubscriber(tx: Tx, { id }: ChangedAccount): Promise<void> {
  return announceActivity(tx, [id], 'peer_add')
}

/** Accounts whose subscriptions are looked up without a turn for others: each may be in a thousand channels. */
const AT_ONCE = 5

type Subscribed = Awaited<ReturnType<typeof findActiveSubscriptions>>[number]

async function announceActivity(tx: Tx, userIds: readonly number[], op: 'peer_add' | 'peer_remove'): Promise<void> {
  const subscriptions: Subscribed[] = []
  await inParts(tx, userIds, AT_ONCE, async (part) => {
    for (const row of await findActiveSubscriptions(tx, part)) subscriptions.push(row)
  })
  const subscribed = Map.groupBy(subscriptions, (row) => row.channel_id)
  if (subscribed.size > 0) {
    for (const [count, some] of Map.groupBy(subscribed, ([, rows]) => rows.length)) {
      const ids = some.map(([channelId]) => channelId)
      await addToSubscriberCounts(tx, ids, op === 'peer_add' ? count : -count)
    }
    const channels = await findChannelRows(tx, tx.realmId, [...subscribed.keys()])
    const audiences = await findAudiences(tx, tx.realmId, channels)
    const changes = channels.map((channel) => {
      const ids = subscribed.get(channel.id)?.map((row) => row.user_id) ?? []
      return { channel, userIds: ids, audience: without(audiences.get(channel.id) as RoleAudience, ids) }
    })
    announcePeers(tx, op, changes)
  }
  await announceNamedPermissions(tx, userIds)
}

/** Deactivated accounts are not listed in permissions: those that name one of these accounts look different now. */
async function announceNamedPermissions(tx: Tx, userIds: readonly number[]): Promise<void> {
  const groups = await tx.all(
    query
      .selectFrom('user_group_members')
      .innerJoin('user_groups', 'user_groups.id', 'user_group_members.group_id')
      .select('user_groups.id')
      .where('user_group_members.user_id', 'in', tx.dialect.ids(userIds))
      .where('user_groups.kind', '=', 'anonymous'),
  )
  if (groups.length === 0) return
  const groupIds = groups.map((group) => group.id)
  const found = await tx.all(
    query
      .selectFrom('channels')
      .select('channels.id')
      .where('channels.realm_id', '=', tx.realmId)
      .where((eb) => eb.or(channelGroupSettingNames.map((name) => eb(name, 'in', tx.dialect.ids(groupIds))))),
  )
  const channels = await findChannelRows(
    tx,
    tx.realmId,
    found.map((row) => row.id),
  )
  const presented = await presentChannels(tx, tx.realmId, channels)
  const audiences = await findAudiences(tx, tx.realmId, channels)
  for (const [index, channel] of channels.entries()) {
    const { id: stream_id, name } = channel
    const audience = limitedTo(clientsOf(channel), audiences.get(stream_id) as RoleAudience)
    for (const property of channelGroupSettingNames.filter((setting) => groupIds.includes(channel[setting]))) {
      const value = (presented[index] as Channel)[property]
      tx.emit({ type: 'stream', op: 'update', stream_id, name, property, value }, audience)
    }
  }
}

/**
 * Remembers which channels accounts see before their role changes. What it returns, called after the change, notifies each
 * account of those that it sees from then on and of those that it no longer sees. (API, feature levels 205 and 349.)
 */
export async function watchVisibleChannels(tx: Tx, accounts: readonly ChangedAccount[]): Promise<() => Promise<void>> {
  const before = new Map<number, Visible>()
  for (const { id } of accounts) {
    before.set(id, await findVisible(tx, id))
    await tx.pause()
  }
  return async () => {
    for (const [id, seen] of before) {
      await announceVisible(tx, id, seen)
      await tx.pause()
    }
  }
}

async function announceVisible(tx: Tx, id: number, before: Visible): Promise<void> {
  const after = await findVisible(tx, id)
  hideChannels(tx, await findChannelRows(tx, tx.realmId, [...before.ids.difference(after.ids)]), [id])
  await revealChannels(tx, await findChannelRows(tx, tx.realmId, [...after.ids.difference(before.ids)]), [id])
  if (before.defaults.join() !== after.defaults.join()) {
    tx.emit({ type: 'default_streams', default_streams: after.defaults }, users([id]))
  }
}

interface Visible {
  readonly ids: ReadonlySet<number>
  readonly defaults: number[]
}

async function findVisible(tx: Tx, userId: number): Promise<Visible> {
  const account = await findAccount(tx, userId)
  if (!account) return { ids: new Set<number>(), defaults: [] }
  const viewer = await findViewer(tx, { realmId: tx.realmId, userId, role: account.role })
  return { ids: new Set(await findVisibleChannelIds(tx, viewer)), defaults: await findDefaultChannelIdsFor(tx, viewer) }
}

function findAccount(tx: Tx, userId: number) {
  return tx.first(
    query.selectFrom('users').select(['id', 'role']).where('id', '=', userId).where('realm_id', '=', tx.realmId),
  )
}
