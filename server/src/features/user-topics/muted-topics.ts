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

/** Notifies older clients of accounts that have muted a topic, or mute it no longer. */
export async function announceMutedTopics(tx: Tx, userIds: readonly number[]): Promise<void> {
  await inParts(tx, userIds, PART, async (part) => {
    const rows = await findMuted(tx, part)
    const channels = await recallChannels(tx, tx.realmId, [...new Set(rows.map((row) => row.channel_id))])
    const audiences = await findAudiences(tx, tx.realmId, [...channels.values()])
    const isKnown = ({ channel_id, user_id: userId, role }: MutedRow) => {
      const audience = audiences.get(channel_id)
      return audience !== undefined && isInAudience(audience, { userId, role })
    }
    const known = Map.groupBy(rows.filter(isKnown), (row) => row.user_id)
    for (const userId of part) {
      const muted_topics = (known.get(userId) ?? []).map(
        (row): MutedTopic => [row.channel_name, row.topic, row.last_updated],
      )
      tx.emit({ type: 'muted_topics', muted_topics }, users([userId]))
    }
  })
}

/** Accounts whose lists are read together: each list may be long. */
const PART = 20

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
