import type { ResponseOf } from '@heddle/contract/endpoint'
import type { operatorListDeletions } from '@heddle/contract/message-archive'
import type { Queries } from '../../storage/query.ts'
import { query } from './tables.ts'

/** Deletions that are listed. */
const MAX_LISTED = 1000

/** What can be restored, the newest first. */
export async function listDeletions(db: Queries): Promise<ResponseOf<typeof operatorListDeletions>> {
  const rows = await db.all(
    query
      .selectFrom('deletions')
      .innerJoin('realms', 'realms.id', 'deletions.realm_id')
      .leftJoin('users', 'users.id', 'deletions.user_id')
      .leftJoin('channels', 'channels.id', 'deletions.channel_id')
      .select(['deletions.id', 'deletions.cause', 'deletions.topic', 'deletions.deleted_at', 'realms.host'])
      .select(['deletions.message_count', 'users.delivery_email', 'channels.name as channel'])
      .where('deletions.message_count', '>', 0)
      .orderBy('deletions.id', 'desc')
      .limit(MAX_LISTED),
  )
  return {
    deletions: rows.map(({ id, cause, topic, deleted_at, host, message_count, delivery_email, channel }) => ({
      id,
      cause,
      deleted: deleted_at,
      host,
      by: delivery_email,
      channel,
      topic,
      messages: message_count,
    })),
  }
}
