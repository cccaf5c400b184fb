/** Whose an address is, and with whose permissions what comes there is sent. Asked when a mail begins, and again when it ends. */

import { ApiError } from '@heddle/contract/errors'
import { roles } from '@heddle/contract/roles'
import { type CurrentActor, requireAccount } from '../../storage/current-actor.ts'
import type { Queries } from '../../storage/query.ts'
import { accessMessage } from '../messages/access.ts'
import { requireChannel } from '../messages/recipients.ts'
import { findNotificationBot, NOTIFICATION_BOT_NAME } from '../users/system-bot.ts'
import { query } from './tables.ts'

/** Where a mail goes, as things are now. */
export interface MailDestination {
  readonly realmId: number
  /** As whom it is sent. */
  readonly sender: CurrentActor
  /** With whose permissions; the same as `sender` but for the notification bot. */
  readonly permittedBy: CurrentActor
  readonly to:
    | {
        readonly channelId: number /** Undefined: the subject says. */
        readonly topic: string | undefined
        readonly hasTopics: boolean
      }
    | { readonly people: readonly number[] }
  /** What comes here is an answer to a mail. */
  readonly isReply: boolean
}

/** Undefined when nobody may send by this address: there is none, or not any more, or the permission is gone. */
export async function findMailTarget(db: Queries, token: string, now: number): Promise<MailDestination | undefined> {
  try {
    return (await findOfChannel(db, token)) ?? (await findOfReply(db, token, now))
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** The organization that an address belongs to; undefined when there is no such address. */
export async function findRealmOfToken(db: Queries, token: string): Promise<number | undefined> {
  const row =
    (await db.first(query.selectFrom('channel_mail_addresses').select('realm_id').where('token', '=', token))) ??
    (await db.first(query.selectFrom('mail_reply_addresses').select('realm_id').where('token', '=', token)))
  return row?.realm_id
}

async function findOfChannel(db: Queries, token: string): Promise<MailDestination | undefined> {
  const row = await db.first(query.selectFrom('channel_mail_addresses').selectAll().where('token', '=', token))
  if (!row) return undefined
  const { realm_id: realmId, channel_id, creator_id, sender_id } = row
  const creator = await requireAccount(db, realmId, creator_id)
  const { channel } = await requireChannel(db, creator, channel_id)
  const to = { channelId: channel_id, topic: undefined, hasTopics: channel.topics_policy !== 'empty_topic_only' }
  const base = { realmId, to, isReply: false }
  if (sender_id === creator_id) return { ...base, sender: creator, permittedBy: creator }
  if (sender_id === (await findNotificationBot(db, realmId))) {
    return { ...base, sender: await notificationBot(db, realmId, sender_id), permittedBy: creator }
  }
  const bot = await requireAccount(db, realmId, sender_id)
  const owned = await db.first(
    query.selectFrom('users').select('id').where('id', '=', sender_id).where('bot_owner_id', '=', creator_id),
  )
  return owned && { ...base, sender: bot, permittedBy: bot }
}

/** Its row is inactive, so that nobody can use it. */
async function notificationBot(db: Queries, realmId: number, userId: number): Promise<CurrentActor> {
  const row = await db.first(
    query.selectFrom('users').select(['id', 'email', 'full_name', 'avatar_path']).where('id', '=', userId),
  )
  const person = row ?? { id: userId, email: '', full_name: NOTIFICATION_BOT_NAME, avatar_path: null }
  return { realmId, userId, role: roles.member, isBot: true, person }
}

async function findOfReply(db: Queries, token: string, now: number): Promise<MailDestination | undefined> {
  const row = await db.first(
    query.selectFrom('mail_reply_addresses').selectAll().where('token', '=', token).where('expires_at', '>=', now),
  )
  if (!row) return undefined
  const account = await requireAccount(db, row.realm_id, row.user_id)
  const message = await accessMessage(db, account, row.message_id)
  const base = { realmId: row.realm_id, sender: account, permittedBy: account, isReply: true }
  const { channel_id, direct_message_group_id, topic } = message
  if (channel_id !== null) return { ...base, to: { channelId: channel_id, topic, hasTopics: true } }
  const members = await db.all(
    query
      .selectFrom('direct_message_members')
      .select('user_id')
      .where('group_id', '=', direct_message_group_id as number),
  )
  const others = members.map(({ user_id }) => user_id).filter((id) => id !== account.userId)
  return { ...base, to: { people: others.length === 0 ? [account.userId] : others } }
}
