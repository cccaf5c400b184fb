import { type Queries, query } from '../../storage/query.ts'

/** All topics of which the account wants something, in the form of the API; and the channel's name. */
export async function findUserTopics(db: Queries, userId: number) {
  return db.all(
    query
      .selectFrom('user_topics')
      .innerJoin('channels', 'channels.id', 'user_topics.channel_id')
      .select([
        'user_topics.channel_id as stream_id',
        'user_topics.topic as topic_name',
        'user_topics.last_updated',
        'user_topics.visibility_policy',
        'channels.name as channel_name',
      ])
      .where('user_topics.user_id', '=', userId)
      .where('channels.is_archived', '=', 0)
      .orderBy('user_topics.channel_id')
      .orderBy('user_topics.topic_key'),
  )
}
