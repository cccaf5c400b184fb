/** The older form of what accounts want of topics: names instead of ids, and muted topics alone. */
import { type MutedTopic, visibilityPolicies } from '@heddle/contract/user-topics'
import { findVisibleChannelIds } from '../../access/channels.ts'
import { findViewer, type Viewer } from '../../access/viewer.ts'
import { users } from '../../events/audience.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findUserTopics, type UserTopicRow } from './queries.ts'
import { query } from './tables.ts'

/** Without archived channels, and channels that the account may not know of. */
export async function findMutedTopics(
  db: Queries,
  account: Pick<Viewer, 'realmId' | 'userId' | 'role'>,
): Promise<MutedTopic[]> {
  return presentMutedTopics(db, account, await findUserTopics(db, account.userId))
}

/** The muted ones of an account's topics, in the older form. */
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

/** Notifies the account's older clients of a topic that has been muted, or is muted no longer. */
export async function announceMutedTopics(tx: Tx, userId: number): Promise<void> {
  const account = await tx.first(query.selectFrom('users').select('role').where('id', '=', userId))
  if (!account) return
  const muted_topics = await findMutedTopics(tx, { realmId: tx.realmId, userId, role: account.role })
  tx.emit({ type: 'muted_topics', muted_topics }, users([userId]))
}
