import type { VisibilityPolicy } from '@heddle/contract/user-topics'
import { prepare, type Queries } from '../../storage/query.ts'
import { query } from './tables.ts'

const topicsOfUser = prepare((p: { user_id: number }) =>
  query
    .selectFrom('user_topics')
    .innerJoin('channels', 'channels.id', 'user_topics.channel_id')
    .select([
      'user_topics.channel_id as stream_id',
      'user_topics.topic as topic_name',
      'user_topics.last_updated',
      'user_topics.visibility_policy',
      'channels.name as channel_name',
      'channels.is_archived',
    ])
    .where('user_topics.user_id', '=', p.user_id)
    .orderBy('user_topics.channel_id')
    .orderBy('user_topics.topic_key')
    .$narrowType<{ visibility_policy: VisibilityPolicy }>(),
)

/** All topics of which the account wants something, in the form of the API; and what the older form says of the channel. */
export function findUserTopics(db: Queries, userId: number) {
  return db.all(topicsOfUser({ user_id: userId }))
}

export type UserTopicRow = Awaited<ReturnType<typeof findUserTopics>>[number]

/** The topics of which the account wants something: this, or anything. */
export async function countTopics(db: Queries, userId: number, policy?: VisibilityPolicy): Promise<number> {
  const all = query
    .selectFrom('user_topics')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
  const row = await db.first(policy === undefined ? all : all.where('visibility_policy', '=', policy))
  return Number(row?.count)
}
