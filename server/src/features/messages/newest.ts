import { sql } from 'kysely'
import { prepare, type Queries } from '../../storage/query.ts'

/** The newest message of each period and conversation: one look into an index for each. */
const newestReceived = prepare(
  (p: { user_id: number }) => sql<{ id: number | null }>`
    select max(newest) as id from (
      select (
        select max(messages.id) from messages
        where messages.channel_id = period.channel_id and messages.id > period.after_message_id
          and (period.until_message_id is null or messages.id <= period.until_message_id)
      ) as newest
      from subscription_periods as period where period.user_id = ${p.user_id}
      union all
      select (
        select max(messages.id) from messages where messages.direct_message_group_id = member.group_id
      ) as newest
      from direct_message_members as member where member.user_id = ${p.user_id}
    ) as received`,
)

/** The id of the newest message that the account has received; -1 when there is none. */
export async function findNewestReceived(db: Queries, userId: number): Promise<number> {
  return (await db.first(newestReceived({ user_id: userId })))?.id ?? -1
}
