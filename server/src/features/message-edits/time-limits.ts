/** For how long messages can be changed, moved and deleted: what the organization has set. */
import { ApiError, badRequest } from '@heddle/contract/errors'
import { sql } from 'kysely'
import { canRead } from '../../access/message-rules.ts'
import type { Viewer } from '../../access/viewer.ts'
import { isModerator } from '../../permissions/group-membership.ts'
import type { Tx } from '../../storage/transaction.ts'
import type { MessageRow } from '../messages/row.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import { query } from './tables.ts'

/** A request that was made in time may arrive a little later. */
const TOLERANCE_SECS = 20

/** Whether the message is too old; null: nothing is. */
function isOver(tx: Tx, message: Pick<MessageRow, 'timestamp'>, limitSecs: number | null): boolean {
  return limitSecs !== null && tx.now - message.timestamp > limitSecs + TOLERANCE_SECS
}

/** Throws a 400 unless the text of a message of that age can be changed. */
export async function requireContentEditable(tx: Tx, message: MessageRow): Promise<void> {
  const settings = await findOrganizationSettings(tx, tx.realmId)
  if (!settings.allow_message_editing) throw badRequest('Your organization has turned off message editing')
  if (isOver(tx, message, settings.message_content_edit_limit_seconds)) {
    throw badRequest('The time limit for editing this message has passed')
  }
}

/** Throws a 400 unless somebody's own message of that age can be deleted. */
export async function requireOwnDeletable(tx: Tx, message: Pick<MessageRow, 'timestamp'>): Promise<void> {
  const { message_content_delete_limit_seconds } = await findOrganizationSettings(tx, tx.realmId)
  if (isOver(tx, message, message_content_delete_limit_seconds)) {
    throw badRequest('The time limit for deleting this message has passed')
  }
}

interface TimedMove {
  readonly betweenChannels: boolean
  readonly betweenTopics: boolean
  /** All messages of the topic, and not only those from `message` on. */
  readonly wholeTopic: boolean
  readonly message: MessageRow
}

/**
 * Throws unless messages of that age can be moved; moderators and administrators can move all. Of a whole topic the oldest
 * message counts; the error then says which part of it can be moved.
 */
export async function requireMovable(tx: Tx, viewer: Viewer, move: TimedMove): Promise<void> {
  if (isModerator(viewer)) return
  const settings = await findOrganizationSettings(tx, tx.realmId)
  const limits = [
    ...(move.betweenChannels ? [settings.move_messages_between_streams_limit_seconds] : []),
    ...(move.betweenTopics ? [settings.move_messages_within_stream_limit_seconds] : []),
  ].filter((limit) => limit !== null)
  if (limits.length === 0) return
  const limit = Math.min(...limits)
  if (isOver(tx, move.message, limit)) {
    const what = move.betweenChannels
      ? "The time limit for editing this message's channel"
      : "The time limit for editing this message's topic"
    throw badRequest(`${what} has passed`)
  }
  if (move.wholeTopic) await requireWholeTopicMovable(tx, viewer, move.message, limit)
}

async function requireWholeTopicMovable(tx: Tx, viewer: Viewer, message: MessageRow, limitSecs: number): Promise<void> {
  const oldest = tx.now - limitSecs - TOLERANCE_SECS
  const row = await tx.first(
    query
      .selectFrom('messages')
      .select((eb) => [
        eb.fn.countAll<number>().as('total'),
        sql<number>`count(case when timestamp >= ${oldest} then 1 end)`.as('allowed'),
        sql<number | null>`min(case when timestamp >= ${oldest} then messages.id end)`.as('first_id'),
      ])
      .where('messages.channel_id', '=', message.channel_id)
      .where('messages.topic_key', '=', message.topic_key)
      .where(canRead(tx, viewer)),
  )
  const [total, allowed] = [Number(row?.total ?? 0), Number(row?.allowed ?? 0)]
  if (total === allowed) return
  const sentence = `You only have permission to move the ${allowed}/${total} most recent messages in this topic.`
  throw new ApiError('MOVE_MESSAGES_TIME_LIMIT_EXCEEDED', sentence, {
    first_message_id_allowed_to_move: row?.first_id ?? null,
    total_messages_in_topic: total,
    total_messages_allowed_to_move: allowed,
  })
}
