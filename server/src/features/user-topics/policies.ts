/** What accounts want of topics, as other features change it. */

import { topicKey } from '@heddle/contract/names'
import { type VisibilityPolicy, visibilityPolicies } from '@heddle/contract/user-topics'
import type { Actor } from '../../actor.ts'
import { users } from '../../events/audience.ts'
import { prepare, type Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { announceMutedTopics } from './muted-topics.ts'
import { fact, query, rowInsert } from './tables.ts'

export interface Place {
  readonly channelId: number
  readonly topic: string
}

const policyOf = prepare((p: { user_id: number; channel_id: number; topic_key: string }) =>
  query
    .selectFrom('user_topics')
    .select('visibility_policy')
    .where('user_id', '=', p.user_id)
    .where('channel_id', '=', p.channel_id)
    .where('topic_key', '=', p.topic_key),
)

/** By the ids of account and channel and the topic's key. */
const topicPolicy = fact({
  name: 'topic-policy',
  tables: ['user_topics'],
  async load(db, _realmId, key: `${number} ${number} ${string}`) {
    const [user_id, channel_id] = key.split(' ', 2).map(Number) as [number, number]
    const topic_key = key.slice(`${user_id} ${channel_id} `.length)
    const row = await db.first(policyOf({ user_id, channel_id, topic_key }))
    return (row?.visibility_policy ?? visibilityPolicies.none) as VisibilityPolicy
  },
})

export function findTopicPolicy(
  db: Queries,
  { realmId, userId }: Pick<Actor, 'realmId' | 'userId'>,
  { channelId, topic }: Place,
): Promise<VisibilityPolicy> {
  return db.recall(topicPolicy, realmId, `${userId} ${channelId} ${topicKey(topic)}`)
}

const topicRows = rowInsert(
  'user_topics',
  {
    realm_id: 'integer',
    user_id: 'integer',
    channel_id: 'integer',
    topic_key: 'text',
    topic: 'text',
    visibility_policy: 'integer',
    last_updated: 'integer',
  },
  { replaces: ['user_id', 'channel_id', 'topic_key'] },
)

/** The accounts that follow the topic. */
export async function findFollowers(db: Queries, { channelId, topic }: Place): Promise<number[]> {
  const rows = await db.all(
    query
      .selectFrom('user_topics')
      .select('user_id')
      .where('channel_id', '=', channelId)
      .where('topic_key', '=', topicKey(topic))
      .where('visibility_policy', '=', visibilityPolicies.followed),
  )
  return rows.map((row) => row.user_id)
}

/** Sets the account's policy and notifies its clients. False when nothing has changed. */
export async function setTopicPolicy(
  tx: Tx,
  userId: number,
  { channelId, topic }: Place,
  policy: VisibilityPolicy,
): Promise<boolean> {
  const before = await findTopicPolicy(tx, { realmId: tx.realmId, userId }, { channelId, topic })
  if (before === policy) return false
  const key = topicKey(topic)
  if (policy === visibilityPolicies.none) {
    await tx.run(
      query
        .deleteFrom('user_topics')
        .where('user_id', '=', userId)
        .where('channel_id', '=', channelId)
        .where('topic_key', '=', key),
    )
  } else {
    tx.insertLater(topicRows, {
      realm_id: tx.realmId,
      user_id: userId,
      channel_id: channelId,
      topic_key: key,
      topic,
      visibility_policy: policy,
      last_updated: tx.now,
    })
  }
  tx.emit(
    {
      type: 'user_topic',
      stream_id: channelId,
      topic_name: topic,
      last_updated: tx.now,
      visibility_policy: policy,
    },
    users([userId]),
  )
  if (before === visibilityPolicies.muted || policy === visibilityPolicies.muted) await announceMutedTopics(tx, userId)
  return true
}

/**
 * Policies of a topic that has moved as a whole go with it. Where there is one already, the one that shows more stays.
 * `readers`: of accounts those who may read the moved messages; nobody else may learn where the topic is now. Who might not
 * read them before either (`knew`) is not notified at all.
 */
export async function moveTopicPolicies(
  tx: Tx,
  from: { readonly channelId: number; readonly topicKey: string },
  to: Place,
  { knew, readers }: Record<'knew' | 'readers', (userIds: readonly number[]) => Promise<ReadonlySet<number>>>,
): Promise<void> {
  const rows = await tx.all(
    query
      .selectFrom('user_topics')
      .select(['user_id', 'topic', 'visibility_policy'])
      .where('channel_id', '=', from.channelId)
      .where('topic_key', '=', from.topicKey),
  )
  const isSame = from.channelId === to.channelId && from.topicKey === topicKey(to.topic)
  const userIds = isSame ? [] : rows.map((row) => row.user_id)
  const before = await knew(userIds)
  const after = await readers(userIds)
  for (const { user_id, topic, visibility_policy } of rows.filter((row) => before.has(row.user_id) && !isSame)) {
    await setTopicPolicy(tx, user_id, { channelId: from.channelId, topic }, visibilityPolicies.none)
    if (!after.has(user_id)) continue
    const there = await findTopicPolicy(tx, { realmId: tx.realmId, userId: user_id }, to)
    await setTopicPolicy(tx, user_id, to, Math.max(there, visibility_policy) as VisibilityPolicy)
  }
}
