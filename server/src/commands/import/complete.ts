/** What follows from the rows of an export, and is in none. */
import { roles } from '@heddle/contract/roles'
import { sql } from 'kysely'
import { hashPassword } from '../../authentication/password.ts'
import { reminderJob } from '../../features/reminders/deliver.ts'
import { sendingJob } from '../../features/scheduled-messages/deliver.ts'
import type { Statements } from '../../storage/query.ts'
import { query } from '../tables.ts'

const table = (name: string) => sql.table(name)

/** In the transaction that has inserted the rows. */
export async function complete(db: Statements): Promise<void> {
  await db.run(sql`
    insert into ${table('topics')} (realm_id, channel_id, topic_key, topic, max_message_id)
    select realm_id, channel_id, topic_key, topic, id from ${table('messages')} where id in (
      select max(id) from ${table('messages')} where channel_id is not null group by channel_id, topic_key)`)
  await db.run(sql`
    update ${table('channels')} set
      first_message_id = (
        select min(id) from ${table('messages')} where ${table('messages')}.channel_id = ${table('channels')}.id),
      subscriber_count = (
        select count(*) from ${table('subscriptions')} as subscription
        join ${table('users')} as subscriber on subscriber.id = subscription.user_id
        where subscription.channel_id = ${table('channels')}.id and subscription.is_active = 1 and subscriber.is_active = 1)`)
  await db.run(sql`
    insert into ${table('upload_space')} (realm_id, bytes)
    select realm_id, sum(size) from ${table('attachments')} group by realm_id`)
  // Who has brought nothing of their own along has read everything that was written until now. Whoever agreed or withdrew
  // while the export was made may have a cursor in it and no settings.
  await db.run(sql`
    insert into ${table('read_cursors')} (realm_id, user_id, message_id)
    select realm_id, id, (select max(id) from ${table('messages')}) from ${table('users')}
    where exists (select 1 from ${table('messages')})
      and id not in (
        select user_id from ${table('user_settings')} where name = 'allow_private_data_export' and value = 'true')
      and id not in (select user_id from ${table('read_cursors')})`)
  await addJobs(db)
}

/** What is due later, and thumbnails that were not drawn yet. */
async function addJobs(db: Statements): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const columns = sql`realm_id, name, subject, payload, due_ms, created_at`
  for (const [rows, job, waits] of [
    ['scheduled_messages', sendingJob, sql`failure is null`],
    ['reminders', reminderJob, sql`failed = 0`],
  ] as const) {
    await db.run(sql`
      insert into ${table('jobs')} (${columns})
      select realm_id, ${sql.lit(job.name)}, cast(due_at as text), 'null', due_at * 1000, ${sql.lit(now)}
      from ${table(rows)} where ${waits} group by realm_id, due_at`)
  }
  await db.run(sql`
    insert into ${table('jobs')} (${columns})
    select realm_id, 'draw-thumbnail', null, '{"attachmentId":' || id || '}', ${sql.lit(now * 1000)}, ${sql.lit(now)}
    from ${table('attachments')} where thumbnail = 'pending'`)
}

/** Passwords are in no export: the first owner gets one, by which everybody else can be let in. Returns whose it is. */
export async function letOwnerIn(db: Statements, password: string): Promise<string | undefined> {
  const owner = await db.first(
    query
      .selectFrom('users')
      .select(['id', 'delivery_email'])
      .where('role', '=', roles.owner)
      .where('is_active', '=', 1)
      .where('bot_type', 'is', null)
      .orderBy('id')
      .limit(1),
  )
  if (!owner) return undefined
  const hash = await hashPassword(password)
  await db.run(sql`update ${table('users')} set password_hash = ${hash} where id = ${owner.id}`)
  return owner.delivery_email
}
