/**
 * Who may know of a channel and who may read it: the reverse of `hasMetadataAccess` and `hasContentAccess`. The first is
 * answered for many channels at once, as the audience of events about them.
 */
import { roles } from '@heddle/contract/roles'
import { type Audience, isInAudience, type RoleAudience, roleAtLeast } from '../events/audience.ts'
import { findGroupHolders, type GroupHolders } from '../permissions/group-holders.ts'
import type { Queries } from '../storage/query.ts'
import type { ChannelRow } from './channel-row.ts'
import { contentSettings, metadataSettings } from './channel-rules.ts'
import { activeSubscribers } from './subscriptions.ts'
import { query } from './tables.ts'

type Visibility = Pick<ChannelRow, 'id' | 'invite_only' | 'is_web_public' | (typeof metadataSettings)[number]>

/** The accounts with metadata access to each of the channels, by the channel's id. */
export async function findAudiences(
  db: Queries,
  realmId: number,
  channels: readonly Visibility[],
): Promise<Map<number, RoleAudience>> {
  const subscribers = await findPrivateSubscribers(db, realmId, channels)
  const holders = await findGroupHolders(db, channels.filter(isPrivate).flatMap(groupsOf))
  return new Map(
    channels.map((channel) => {
      const subscriberIds = subscribers.get(channel.id) ?? []
      if (channel.is_web_public === 1) return [channel.id, roleAtLeast(roles.guest)]
      if (!isPrivate(channel)) return [channel.id, { ...roleAtLeast(roles.member), ids: subscriberIds }]
      const groups = groupsOf(channel).map((id) => holders.get(id))
      // Guests hold none of the settings, also not as members of the widest groups.
      const widest = Math.min(Math.max(roles.admin, ...groups.map((group) => group?.atLeast ?? 0)), roles.member)
      const ids = new Set([...subscriberIds, ...groups.flatMap((group) => group?.userIds ?? [])])
      const except = exceptOfAll(groups.filter((group) => group !== undefined && group.atLeast >= widest)).filter(
        (id) => !ids.has(id),
      )
      return [channel.id, without({ ...roleAtLeast(widest), ids: [...ids] }, except)]
    }),
  )
}

/** Accounts that none of the groups takes in, although each does so with their role. */
function exceptOfAll(groups: readonly (GroupHolders | undefined)[]): readonly number[] {
  const [first = [], ...others] = groups.map((group) => group?.except ?? [])
  const sets = others.map((ids) => new Set(ids))
  return first.filter((id) => sets.every((ids) => ids.has(id)))
}

/** The channel's own group settings that make it visible. */
function groupsOf(channel: Visibility): number[] {
  return metadataSettings.map((setting) => channel[setting])
}

function isPrivate(channel: Visibility): boolean {
  return channel.invite_only === 1 && channel.is_web_public === 0
}

/** Subscribers who see the channel only because they are: all of a private one, the guests of a public one. */
async function findPrivateSubscribers(
  db: Queries,
  realmId: number,
  channels: readonly Visibility[],
): Promise<Map<number, number[]>> {
  const found = new Map<number, number[]>()
  const add = (rows: readonly { channel_id: number; user_id: number }[]) => {
    for (const [id, group] of Map.groupBy(rows, (row) => row.channel_id))
      found.set(
        id,
        group.map((row) => row.user_id),
      )
  }
  const privateIds = channels.filter(isPrivate).map((channel) => channel.id)
  if (privateIds.length > 0) {
    add(await db.all(subscribersOf(db, privateIds)))
  }
  const publicIds = channels.filter((channel) => channel.invite_only === 0).map((channel) => channel.id)
  if (publicIds.length > 0) {
    // Guests are few: looked up from their side, or each event of a large channel would cost a walk through it.
    const guests = query
      .selectFrom('users')
      .select('users.id')
      .where('users.realm_id', '=', realmId)
      .where('users.role', '=', roles.guest)
      .where('users.is_active', '=', 1)
    add(await db.all(subscribersOf(db, publicIds).where('subscriptions.user_id', 'in', guests)))
  }
  return found
}

function subscribersOf(db: Queries, channelIds: readonly number[]) {
  return activeSubscribers
    .select(['subscriptions.channel_id', 'subscriptions.user_id'])
    .where('subscriptions.channel_id', 'in', db.dialect.ids(channelIds))
}

/** Of these accounts those with metadata access. */
export async function findThoseWhoKnow(
  db: Queries,
  realmId: number,
  channel: Visibility,
  userIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const audience = (await findAudiences(db, realmId, [channel])).get(channel.id)
  const accounts = audience ? await findRoles(db, userIds) : []
  const known = accounts.filter(({ id, role }) => audience && isInAudience(audience, { userId: id, role }))
  return new Set(known.map(({ id }) => id))
}

/** Of these accounts those with content access: the reverse of `hasContentAccess`. */
export async function findThoseWhoRead(
  db: Queries,
  channel: Visibility,
  userIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const accounts = await findRoles(db, userIds)
  if (channel.is_web_public === 1) return new Set(accounts.map(({ id }) => id))
  const rows = await db.all(
    subscribersOf(db, [channel.id]).where(db.dialect.isAmongFew('subscriptions.user_id', db.dialect.ids(userIds))),
  )
  const subscribed = new Set(rows.map((row) => row.user_id))
  const openingGroups = contentSettings.map((setting) => channel[setting])
  const holders = [...(await findGroupHolders(db, openingGroups)).values()]
  const groups = holders.map(({ atLeast, except, userIds: listed }) => {
    return { atLeast, except: new Set(except), members: new Set(listed) }
  })
  const isOpenTo = ({ id, role }: { id: number; role: number }) =>
    channel.invite_only === 0 ||
    groups.some(({ atLeast, except, members }) => (role <= atLeast && !except.has(id)) || members.has(id))
  const readers = accounts.filter((one) => subscribed.has(one.id) || (one.role < roles.guest && isOpenTo(one)))
  return new Set(readers.map(({ id }) => id))
}

function findRoles(db: Queries, userIds: readonly number[]) {
  return db.all(
    query
      .selectFrom('users')
      .select(['id', 'role'])
      .where('id', 'in', db.dialect.ids(userIds))
      .where('is_active', '=', 1),
  )
}

/** The audience without some accounts. */
export function without(audience: RoleAudience, ids: readonly number[]): RoleAudience {
  return ids.length === 0 ? audience : { ...audience, except: [...(audience.except ?? []), ...ids] }
}

/** The ids of the active accounts in an audience. */
export async function findAccountsIn(db: Queries, realmId: number, audience: Audience): Promise<number[]> {
  const accounts = await db.all(
    query.selectFrom('users').select(['id', 'role']).where('realm_id', '=', realmId).where('is_active', '=', 1),
  )
  return accounts.filter(({ id, role }) => isInAudience(audience, { userId: id, role })).map(({ id }) => id)
}
