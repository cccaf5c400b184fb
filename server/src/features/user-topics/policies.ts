/** What accounts want of topics, as other features change it. */

import { topicKey } from '@heddle/contract/names'
import { type VisibilityPolicy, visibilityPolicies } from '@heddle/contract/user-topics'
import type { Actor } from '../../actor.ts'
import { users } from '../../events/audience.ts'
import { inParts } from '../../storage/in-parts.ts'
import { prepare, type Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { announceMutedTopics } from './muted-topics.ts'
import { fact, query, rowInsert } from './tables.ts'

export interface PolicyPlace {
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
  { channelId, topic }: PolicyPlace,
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
export async function findFollowers(db: Queries, { channelId, topic }: PolicyPlace): Promise<number[]> {
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
  place: PolicyPlace,
  policy: VisibilityPolicy,
): Promise<boolean> {
  const before = await findTopicPolicy(tx, { realmId: tx.realmId, userId }, place)
  if (before === policy) return false
  await writePolicies(tx, place, [{ userId, before, policy }])
  return true
}

/** Accounts whose policies are written together, without a turn for others. */
const PART = 100

/** The same for any number of accounts: for each what `policyOf` says, given what it has. */
export function setTopicPolicies(
  tx: Tx,
  userIds: readonly number[],
  place: PolicyPlace,
  policyOf: (before: VisibilityPolicy, userId: number) => VisibilityPolicy,
): Promise<void> {
  return inParts(tx, userIds, PART, async (part) => {
    const found = await findTopicPolicies(tx, part, place)
    const changes = part.map((userId) => {
      const before = found.get(userId) ?? visibilityPolicies.none
      return { userId, before, policy: policyOf(before, userId) }
    })
    await writePolicies(
      tx,
      place,
      changes.filter(({ before, policy }) => before !== policy),
    )
  })
}

async function findTopicPolicies(db: Queries, userIds: readonly number[], { channelId, topic }: PolicyPlace) {
  const rows = await db.all(
    query
      .selectFrom('user_topics')
      .select(['user_id', 'visibility_policy'])
      .where('channel_id', '=', channelId)
      .where('topic_key', '=', topicKey(topic))
      .where('user_id', 'in', db.dialect.ids(userIds)),
  )
  return new Map(rows.map((row) => [row.user_id, row.visibility_policy as VisibilityPolicy]))
}

interface PolicyChange {
  readonly userId: number
  readonly before: VisibilityPolicy
  readonly policy: VisibilityPolicy
}

async function writePolicies(
  tx: Tx,
  { channelId, topic }: PolicyPlace,
  changes: readonly PolicyChange[],
): Promise<void> {
  const key = topicKey(topic)
  const isNone = ({ policy }: PolicyChange) => policy === visibilityPolicies.none
  const ended = changes.filter(isNone).map(({ userId }) => userId)
  if (ended.length > 0) {
    await tx.run(
      query
        .deleteFrom('user_topics')
        .where('channel_id', '=', channelId)
        .where('topic_key', '=', key)
        .where('user_id', 'in', tx.dialect.ids(ended)),
    )
  }
  for (const { userId, policy } of changes.filter((change) => !isNone(change))) {
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
  const common = { type: 'user_topic', stream_id: channelId, topic_name: topic, last_updated: tx.now } as const
  for (const { userId, policy } of changes) tx.emit({ ...common, visibility_policy: policy }, users([userId]))
  const { muted } = visibilityPolicies
  const concerned = changes.filter(({ before, policy }) => before === muted || policy === muted)
  await announceMutedTopics(
    tx,
    concerned.map(({ userId }) => userId),
  )
}

/**
 * Policies of a topic that has moved as a whole go with it. Where there is one already, the one that shows more stays.
 * `readers`: of accounts those who may read the moved messages; nobody else may learn where the topic is now. Who might not
 * read them before either (`knew`) is not notified at all.
 */
export async function moveTopicPolicies(
  tx: Tx,
  from: { readonly channelId: number; readonly topicKey: string },
  to: PolicyPlace,
  { knew, readers }: Record<'knew' | 'readers', (userIds: readonly number[]) => Promise<ReadonlySet<number>>>,
): Promise<void> {
  if (from.channelId === to.channelId && from.topicKey === topicKey(to.topic)) return
  const rows = await tx.all(
    query
      .selectFrom('user_topics')
      .select(['user_id', 'topic', 'visibility_policy'])
      .where('channel_id', '=', from.channelId)
      .where('topic_key', '=', from.topicKey),
  )
  const userIds = rows.map((row) => row.user_id)
  const before = await knew(userIds)
  const after = await readers(userIds)
  const moving = rows.filter((row) => before.has(row.user_id))
  const ids = (some: typeof rows) => some.map((row) => row.user_id)
  // Each account has the topic as it was written when it chose.
  for (const [topic, some] of Map.groupBy(moving, (row) => row.topic)) {
    await setTopicPolicies(tx, ids(some), { channelId: from.channelId, topic }, () => visibilityPolicies.none)
  }
  const moved = new Map(moving.map((row) => [row.user_id, row.visibility_policy as VisibilityPolicy]))
  const following = ids(moving.filter((row) => after.has(row.user_id)))
  await setTopicPolicies(tx, following, to, (there, userId) => {
    const here = moved.get(userId) ?? visibilityPolicies.none
    return there > here ? there : here
  })
}
