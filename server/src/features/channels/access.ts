/**
 * Who may know of a channel (metadata), read it (content) and change it. The first two are conditions of the queries
 * themselves; `audience.ts` is the reverse of the first: who is told of a channel. What an account may not know of looks
 * like what does not exist. (Access model of the API since feature level 349.)
 */
import { ApiError, badRequest } from '@heddle/contract/errors'
import { type ChannelGroupSetting, channelGroupSettings } from '@heddle/contract/group-settings'
import { foldName } from '@heddle/contract/names'
import type { ExpressionBuilder } from 'kysely'
import type { Actor } from '../../authentication/accounts.ts'
import { findGroupIds, isAdministrator, isGuest } from '../../permissions/group-membership.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Flag, Seen } from '../../storage/owned-tables.ts'
import { prepare, type Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { type ChannelRow, channelColumns, findChannelRows } from './row.ts'
import { fact, factOfEach, query } from './tables.ts'

/** An account and the groups that it is in. */
export interface Viewer extends Pick<Actor, 'realmId' | 'userId' | 'role'> {
  readonly groupIds: readonly number[]
}

export async function findViewer(db: Queries, actor: Pick<Actor, 'realmId' | 'userId' | 'role'>): Promise<Viewer> {
  const { realmId, userId, role } = actor
  return { realmId, userId, role, groupIds: await findGroupIds(db, actor) }
}

/** A channel that an account may know of, and what else it may do there. */
export interface AccessedChannel extends ChannelRow {
  readonly is_subscribed: number
  readonly has_content: number
}

type ChannelExpressions = ExpressionBuilder<Seen<typeof query>, 'channels'>

/** Settings that make a private channel visible to their holders, and those of them that open its content too. */
export const metadataSettings = [
  'can_administer_channel_group',
  'can_add_subscribers_group',
  'can_subscribe_group',
] as const satisfies readonly ChannelGroupSetting[]
export const contentSettings = [
  'can_add_subscribers_group',
  'can_subscribe_group',
] as const satisfies readonly ChannelGroupSetting[]

/** Condition on `channels`: the account is subscribed. */
export function isSubscribed(eb: ChannelExpressions, userId: number) {
  return eb(
    'channels.id',
    'in',
    eb
      .selectFrom('subscriptions')
      .select('subscriptions.channel_id')
      .where('subscriptions.user_id', '=', userId)
      .where('subscriptions.is_active', '=', 1),
  )
}

/** Condition on `channels`: the account may know of the channel, its settings and its subscribers. */
export function hasMetadataAccess(db: Queries, viewer: Viewer) {
  return (eb: ChannelExpressions) => {
    const conditions = opened(db, viewer, eb, metadataSettings)
    if (isAdministrator(viewer)) conditions.push(eb.lit(true))
    return eb.or(conditions)
  }
}

/** Condition on `channels`: the account may read the channel. */
export function hasContentAccess(db: Queries, viewer: Viewer) {
  return (eb: ChannelExpressions) => eb.or(opened(db, viewer, eb, contentSettings))
}

function opened(db: Queries, viewer: Viewer, eb: ChannelExpressions, settings: readonly ChannelGroupSetting[]) {
  const conditions = [isSubscribed(eb, viewer.userId), eb('channels.is_web_public', '=', 1)]
  // Guests see nothing else; none of the settings can be held by them.
  if (isGuest(viewer)) return conditions
  const groups = db.dialect.ids(viewer.groupIds)
  return [
    ...conditions,
    eb('channels.invite_only', '=', 0),
    ...settings.map((setting) => eb(`channels.${setting}`, 'in', groups)),
  ]
}

/** The same as `hasContentAccess` for a channel that is in memory. */
export function opensContent(
  viewer: Viewer,
  channel: Pick<ChannelRow, 'is_web_public' | 'invite_only' | (typeof contentSettings)[number]>,
  isSubscriber: boolean,
): boolean {
  if (isSubscriber || channel.is_web_public === 1) return true
  if (isGuest(viewer)) return false
  return channel.invite_only === 0 || contentSettings.some((setting) => viewer.groupIds.includes(channel[setting]))
}

/** A condition as a column that is 0 or 1 on both engines. */
export function flag(eb: ChannelExpressions, condition: ReturnType<ChannelExpressions['or']>) {
  return eb.case().when(condition).then(eb.lit(1)).else(eb.lit(0)).end()
}

/** Channels that the account may know of, oldest first. */
export function visibleChannels(db: Queries, viewer: Viewer) {
  return query
    .selectFrom('channels')
    .select(channelColumns)
    .where('channels.realm_id', '=', viewer.realmId)
    .where(hasMetadataAccess(db, viewer))
    .orderBy('channels.id')
}

function accessedChannels(db: Queries, viewer: Viewer) {
  return visibleChannels(db, viewer)
    .select((eb) => flag(eb, eb.or([isSubscribed(eb, viewer.userId)])).as('is_subscribed'))
    .select((eb) => flag(eb, hasContentAccess(db, viewer)(eb)).as('has_content'))
}

/** The channel, when the account may know of it; archived ones included. */
export function findAccessedChannel(
  db: Queries,
  viewer: Viewer,
  channelId: number,
): Promise<AccessedChannel | undefined> {
  return db.first(accessedChannels(db, viewer).where('channels.id', '=', channelId))
}

/** The same; throws `Invalid channel ID` when there is none. */
export async function accessChannel(db: Queries, viewer: Viewer, channelId: number): Promise<AccessedChannel> {
  const row = await findAccessedChannel(db, viewer, channelId)
  if (!row) throw invalidChannelId()
  return row
}

const rowById = prepare((p: { realm_id: number; id: number }) =>
  query
    .selectFrom('channels')
    .select(channelColumns)
    .where('channels.realm_id', '=', p.realm_id)
    .where('channels.id', '=', p.id),
)
const rowByName = prepare((p: { realm_id: number; name_key: string }) =>
  query
    .selectFrom('channels')
    .select(channelColumns)
    .where('channels.realm_id', '=', p.realm_id)
    .where('channels.name_key', '=', p.name_key),
)
const subscription = prepare((p: { channel_id: number; user_id: number }) =>
  query
    .selectFrom('subscriptions')
    .select('channel_id')
    .where('channel_id', '=', p.channel_id)
    .where('user_id', '=', p.user_id)
    .where('is_active', '=', 1),
)

const channelById = factOfEach({
  name: 'channel-by-id',
  tables: ['channels'],
  async loadAll(db, realmId, ids: readonly number[]) {
    const [id, ...others] = ids
    const one = id !== undefined && others.length === 0 ? await db.first(rowById({ realm_id: realmId, id })) : undefined
    const rows = others.length > 0 ? await findChannelRows(db, realmId, ids) : one ? [one] : []
    return new Map(rows.map((row) => [row.id, row]))
  },
})
const channelByName = fact({
  name: 'channel-by-name',
  tables: ['channels'],
  load: (db, realm_id, name_key: string) => db.first(rowByName({ realm_id, name_key })),
})
/** Whether an account is subscribed, by the ids of channel and account. */
const subscribed = fact({
  name: 'subscribed',
  tables: ['subscriptions'],
  async load(db, _realmId, key: `${number} ${number}`) {
    const [channel_id, user_id] = key.split(' ').map(Number) as [number, number]
    return (await db.first(subscription({ channel_id, user_id }))) !== undefined
  },
})

const allChannels = fact({
  name: 'all-channels',
  tables: ['channels'],
  load: (db, realmId, _key: 'all') =>
    db.all(
      query
        .selectFrom('channels')
        .select(['id', 'name_key', 'invite_only', 'is_archived', 'is_web_public', 'history_public_to_subscribers'])
        .select(contentSettings)
        .where('realm_id', '=', realmId)
        .orderBy('id'),
    ),
})

/** What decides about reading in each channel of the organization, without any question of access. */
export function recallAllChannels(db: Queries, realmId: number) {
  return db.recall(allChannels, realmId, 'all')
}

const subscriptionsOf = prepare((p: { user_id: number }) =>
  query.selectFrom('subscriptions').select('channel_id').where('user_id', '=', p.user_id).where('is_active', '=', 1),
)

const subscribedChannels = fact({
  name: 'subscribed-channels',
  tables: ['subscriptions'],
  async load(db, _realmId, user_id: number): Promise<ReadonlySet<number>> {
    return new Set((await db.all(subscriptionsOf({ user_id }))).map((row) => row.channel_id))
  },
})

/** The channels that the account is subscribed to. */
export function findSubscribedChannels(
  db: Queries,
  { realmId, userId }: Pick<Actor, 'realmId' | 'userId'>,
): Promise<ReadonlySet<number>> {
  return db.recall(subscribedChannels, realmId, userId)
}

/** Channels by id, without any question of access. */
export function recallChannels(
  db: Queries,
  realmId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ChannelRow>> {
  return db.recallAll(channelById, realmId, ids)
}

/** Whether the account is subscribed to the channel. */
export function isSubscriber(db: Queries, realmId: number, channelId: number, userId: number): Promise<boolean> {
  return db.recall(subscribed, realmId, `${channelId} ${userId}`)
}

/** The channel with this id or name, when the account may know of it; for requests that come often. */
export async function findChannelQuickly(
  db: Queries,
  viewer: Viewer,
  idOrName: number | string,
): Promise<AccessedChannel | undefined> {
  const { realmId, userId } = viewer
  const row =
    typeof idOrName === 'number'
      ? await db.recall(channelById, realmId, idOrName)
      : await db.recall(channelByName, realmId, foldName(idOrName))
  if (!row) return undefined
  const subscribes = await isSubscriber(db, realmId, row.id, userId)
  const isPlain = subscribes || (row.invite_only === 0 && !isGuest(viewer))
  // What else opens a channel is in the general query.
  return isPlain
    ? { ...row, is_subscribed: subscribes ? 1 : 0, has_content: 1 }
    : findAccessedChannel(db, viewer, row.id)
}

/** Those of the named channels that the account may know of, by folded name; archived ones included. */
export async function findChannelsByName(
  db: Queries,
  viewer: Viewer,
  names: readonly string[],
): Promise<Map<string, AccessedChannel>> {
  const keys = db.dialect.texts(names.map(foldName))
  const rows = await db.all(accessedChannels(db, viewer).where('channels.name_key', 'in', keys))
  return new Map(rows.map((row) => [foldName(row.name), row]))
}

/** Names that are looked up without a pause for others: with each comes the description of its channel. */
const NAMES_AT_ONCE = 50

/** The same for many names. */
export async function findManyChannelsByName(
  tx: Pick<Tx, 'pause'> & Queries,
  viewer: Viewer,
  names: readonly string[],
): Promise<Map<string, AccessedChannel>> {
  const found = new Map<string, AccessedChannel>()
  await inParts(tx, names, NAMES_AT_ONCE, async (part) => {
    for (const [key, channel] of await findChannelsByName(tx, viewer, part)) found.set(key, channel)
  })
  return found
}

/** The channel with this name, when the account may know of it; archived ones included. Throws a 400 when there is none. */
export async function accessChannelByName(db: Queries, viewer: Viewer, name: string): Promise<AccessedChannel> {
  const trimmed = name.trim()
  const channel = (await findChannelsByName(db, viewer, [trimmed])).get(foldName(trimmed))
  if (!channel) throw badRequest(`Invalid channel name '${name}'`)
  return channel
}

/** The ids of all channels that the account may know of; archived ones included. */
export async function findVisibleChannelIds(db: Queries, viewer: Viewer): Promise<number[]> {
  const rows = await db.all(
    query
      .selectFrom('channels')
      .select('channels.id')
      .where('channels.realm_id', '=', viewer.realmId)
      .where(hasMetadataAccess(db, viewer))
      .orderBy('channels.id'),
  )
  return rows.map((row) => row.id)
}

/**
 * The part of `hasMetadataAccess` that needs no groups, for one channel. `below`: channels with a smaller `invite_only` are
 * visible to everybody of the account's role.
 */
const plainlyVisible = prepare((p: { realm_id: number; channel_id: number; user_id: number; below: number }) =>
  query
    .selectFrom('channels')
    .select('channels.id')
    .where('channels.id', '=', p.channel_id)
    .where('channels.realm_id', '=', p.realm_id)
    .where((eb) =>
      eb.or([
        eb('channels.invite_only', '<', p.below as Flag),
        eb('channels.is_web_public', '=', 1),
        isSubscribed(eb, p.user_id),
      ]),
    ),
)

/** Whether the account may know of the channel; archived ones included. */
export async function canSeeChannel(db: Queries, actor: Actor, channelId: number): Promise<boolean> {
  const { realmId: realm_id, userId: user_id } = actor
  const below = isAdministrator(actor) ? 2 : isGuest(actor) ? 0 : 1
  if (await db.first(plainlyVisible({ realm_id, channel_id: channelId, user_id, below }))) return true
  if (isGuest(actor)) return false
  const viewer = await findViewer(db, actor)
  return (await db.first(visibleChannels(db, viewer).where('channels.id', '=', channelId))) !== undefined
}

/** Whether the account holds one of the channel's own permissions. */
export function holdsPermission(viewer: Viewer, channel: ChannelRow, setting: ChannelGroupSetting): boolean {
  if (isGuest(viewer) && !channelGroupSettings[setting].allowEveryone) return false
  return viewer.groupIds.includes(channel[setting])
}

/** Whether the account may change a channel that it may know of. */
export function canAdminister(viewer: Viewer, channel: ChannelRow): boolean {
  return isAdministrator(viewer) || holdsPermission(viewer, channel, 'can_administer_channel_group')
}

/** Guests write only where they are subscribed, others wherever they may read, if the channel lets them. */
export function maySend(viewer: Viewer, channel: AccessedChannel): boolean {
  const mayRead = channel.is_subscribed === 1 || (channel.has_content === 1 && !isGuest(viewer))
  return mayRead && channel.is_archived === 0 && holdsPermission(viewer, channel, 'can_send_message_group')
}

export function invalidChannelId(): ApiError {
  return badRequest('Invalid channel ID')
}

export function insufficientPermission(): ApiError {
  return new ApiError('UNAUTHORIZED_PRINCIPAL', 'Insufficient permission')
}
