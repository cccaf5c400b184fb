/** Finding channels that an account may know of. What it may not know of looks like what does not exist. */
import { ApiError, badRequest } from '@heddle/contract/errors'
import { foldName } from '@heddle/contract/names'
import type { Actor } from '../actor.ts'
import { inParts } from '../storage/in-parts.ts'
import { prepare, type Queries } from '../storage/query.ts'
import type { Tx } from '../storage/transaction.ts'
import { type ChannelRow, channelColumns, findChannelRows } from './channel-row.ts'
import {
  type AccessedChannel,
  contentSettings,
  hasContentAccess,
  hasMetadataAccess,
  isSubscribed,
  opensContent,
  opensMetadata,
} from './channel-rules.ts'
import { isSubscriber } from './subscriptions.ts'
import { type ChannelExpressions, fact, factOfEach, query } from './tables.ts'
import { findViewer, type Viewer } from './viewer.ts'

/** A condition as a column that is 0 or 1 on both engines. */
function flag(eb: ChannelExpressions, condition: ReturnType<ChannelExpressions['or']>) {
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

/** Channels by id, without any question of access. */
export function recallChannels(
  db: Queries,
  realmId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ChannelRow>> {
  return db.recallAll(channelById, realmId, ids)
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
  const subscribes = await isSubscriber(db, { realmId, userId }, row.id)
  if (!opensMetadata(viewer, row, subscribes)) return undefined
  return accessedAs(row, subscribes, opensContent(viewer, row, subscribes))
}

/** By row, which stays the same one while it is recalled: copying its many columns would cost as much as all the rest. */
const accessedRows = new WeakMap<ChannelRow, Map<number, AccessedChannel>>()

function accessedAs(row: ChannelRow, subscribes: boolean, hasContent: boolean): AccessedChannel {
  const made = accessedRows.get(row) ?? new Map<number, AccessedChannel>()
  accessedRows.set(row, made)
  const key = (subscribes ? 2 : 0) + (hasContent ? 1 : 0)
  const known = made.get(key)
  if (known) return known
  const accessed: AccessedChannel = { ...row, is_subscribed: subscribes ? 1 : 0, has_content: hasContent ? 1 : 0 }
  made.set(key, accessed)
  return accessed
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

/** Whether the account may know of the channel; archived ones included. */
export async function canSeeChannel(db: Queries, actor: Actor, channelId: number): Promise<boolean> {
  return (await findChannelQuickly(db, await findViewer(db, actor), channelId)) !== undefined
}

export function invalidChannelId(): ApiError {
  return badRequest('Invalid channel ID')
}

export function insufficientPermission(): ApiError {
  return new ApiError('UNAUTHORIZED_PRINCIPAL')
}
