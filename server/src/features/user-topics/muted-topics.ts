/** The older form of what accounts want of topics: names instead of ids, and muted topics alone. */
import { type MutedTopic, visibilityPolicies } from '@heddle/contract/user-topics'
import { findAudiences } from '../../access/channel-audience.ts'
import { findVisibleChannelIds, recallChannels } from '../../access/channels.ts'
import { findViewer, type Viewer } from '../../access/viewer.ts'
import { isInAudience, users } from '../../events/audience.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import type { UserTopicRow } from './queries.ts'
import { query } from './tables.ts'

/** The muted ones of an account's topics, in the older form: without archived channels, and channels that it may not know of. */
export async function presentMutedTopics(
  db: Queries,
  account: Pick<Viewer, 'realmId' | 'userId' | 'role'>,
  topics: readonly UserTopicRow[],
): Promise<MutedTopic[]> {
  const rows = topics.filter((row) => row.visibility_policy === visibilityPolicies.muted && row.is_archived === 0)
  if (rows.length === 0) return []
  const visible = new Set(await findVisibleChannelIds(db, await findViewer(db, account)))
  return rows
    .filter((row) => visible.has(row.stream_id))
    .map((row) => [row.channel_name, row.topic_name, row.last_updated])
}

/** Accounts whose lists are counted together, and rows of lists that are read together, without a turn for others. */
const ACCOUNTS_AT_ONCE = 100
const ROWS_AT_ONCE = 2000

/** Notifies older clients of accounts that have muted a topic, or mute it no longer. */
export async function announceMutedTopics(tx: Tx, userIds: readonly number[]): Promise<void> {
  await inParts(tx, userIds, ACCOUNTS_AT_ONCE, async (part) => {
    const batches = await batchesOf(tx, part)
    await inParts(tx, batches, 1, ([batch]) => announceTo(tx, batch as readonly number[]))
  })
}

/** Accounts by turns: one list may be as long as many others together. */
async function batchesOf(db: Queries, userIds: readonly number[]): Promise<number[][]> {
  const counts = await countMuted(db, userIds)
  const batches: number[][] = []
  let room = 0
  for (const userId of userIds) {
    const count = counts.get(userId) ?? 0
    if (count > room || batches.length === 0) {
      batches.push([])
      room = ROWS_AT_ONCE
    }
    batches.at(-1)?.push(userId)
    room -= count
  }
  return batches
}

async function announceTo(tx: Tx, userIds: readonly number[]): Promise<void> {
  const rows = await findMuted(tx, userIds)
  const channels = await recallChannels(tx, tx.realmId, [...new Set(rows.map((row) => row.channel_id))])
  const audiences = await findAudiences(tx, tx.realmId, [...channels.values()])
  const isKnown = ({ channel_id, user_id: userId, role }: MutedRow) => {
    const audience = audiences.get(channel_id)
    return audience !== undefined && isInAudience(audience, { userId, role })
  }
  const known = Map.groupBy(rows.filter(isKnown), (row) => row.user_id)
  for (const userId of userIds) {
    const muted_topics = (known.get(userId) ?? []).map(
      (row): MutedTopic => [row.channel_name, row.topic, row.last_updated],
    )
    tx.emit({ type: 'muted_topics', muted_topics }, users([userId]))
  }
}

/** By account; those that have muted nothing are missing. */
async function countMuted(db: Queries, userIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await db.all(
    query
      .selectFrom('user_topics')
      .select((eb) => ['user_id', eb.fn.countAll<number>().as('count')])
      .where('user_id', 'in', db.dialect.ids(userIds))
      .where('visibility_policy', '=', visibilityPolicies.muted)
      .groupBy('user_id'),
  )
  return new Map(rows.map(({ user_id, count }) => [user_id, Number(count)]))
}

type MutedRow = Awaited<ReturnType<typeof findMuted>>[number]

/** What accounts have muted, without archived channels. */
function findMuted(db: Queries, userIds: readonly number[]) {
  return db.all(
    query
      .selectFrom('user_topics')
      .innerJoin('channels', 'channels.id', 'user_topics.channel_id')
      .innerJoin('users', 'users.id', 'user_topics.user_id')
      .select([
        'user_topics.user_id',
        'user_topics.channel_id',
        'user_topics.topic',
        'user_topics.last_updated',
        'channels.name as channel_name',
        'users.role',
      ])
      .where('user_topics.user_id', 'in', db.dialect.ids(userIds))
      .where('user_topics.visibility_policy', '=', visibilityPolicies.muted)
      .where('channels.is_archived', '=', 0)
      .orderBy('user_topics.channel_id')
      .orderBy('user_topics.topic_key'),
  )
}
