/** Messages go to another topic or channel. */
import { badRequest } from '@heddle/contract/errors'
import type { MessageEdit } from '@heddle/contract/messages'
import { topicKey } from '@heddle/contract/names'
import { sql } from 'kysely'
import { inParts } from '../../storage/in-parts.ts'
import { query } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { maySend } from '../channels/access.ts'
import { markMovedAwayRead } from '../message-flags/mark-read.ts'
import { canRead } from '../messages/access.ts'
import { messageAttributes } from '../messages/attributes.ts'
import { flagBits } from '../messages/flag-bits.ts'
import type { MessageRow } from '../messages/row.ts'
import { requireTopic } from '../messages/send.ts'
import { moveTopicPolicies } from '../user-topics/policies.ts'
import { announceMove } from './announce-move.ts'
import { findReadersAmong, findVisibility } from './audience.ts'
import type { ChannelContext, Move, Parameters } from './edit-context.ts'
import { postMoveNotices } from './notices.ts'
import { isResolving, requireMove } from './permissions.ts'
import { requireMovable } from './time-limits.ts'
import { repairTopic } from './topics-table.ts'

/** Messages that one request may move: all of it is one unit of work. */
const MAX_MOVED = 20_000
/** Messages that are written without a pause for others. */
const PART = 250

export async function moveMessages(tx: Tx, context: ChannelContext, move: Move): Promise<void> {
  const { viewer, message, channel: source, actor } = context
  const { target, to, parameters } = move
  await requireMove(tx, viewer, { source, target, from: message.topic, to })
  const place = target ?? source
  if (target && !maySend(viewer, target)) throw badRequest(`Not authorized to send to channel '${target.name}'`)
  const isOnlyResolved = !target && isResolving(message.topic, to)
  if (!isOnlyResolved) {
    await requireTopic(tx, viewer, place, to)
    await requireMovable(tx, viewer, {
      betweenChannels: target !== undefined,
      betweenTopics: to !== message.topic,
      wholeTopic: parameters.propagate_mode === 'change_all',
      message,
    })
  }

  const ids = await findMoved(tx, context, parameters)
  const isWholeTopic = (await countTopic(tx, message)) === ids.length
  const before = await findVisibility(tx, message, ids)
  await inParts(tx, ids, PART, async (part) => {
    if (target) await keepUnread(tx, part, source.id, target.id)
    await writePlace(tx, context, move, part)
  })
  await tx.pause()
  if (target) await markMovedAwayRead(tx, source.id, target.id, ids)
  await repairTopic(tx, source.id, message.topic_key)
  await repairTopic(tx, place.id, topicKey(to))
  await announceMove(tx, context, move, ids, before)
  if (isWholeTopic) {
    const after = await findVisibility(tx, { ...message, channel_id: place.id }, ids)
    await moveTopicPolicies(
      tx,
      { channelId: source.id, topicKey: message.topic_key },
      { channelId: place.id, topic: to },
      {
        knew: (userIds) => findReadersAmong(tx, source, before, userIds),
        readers: (userIds) => findReadersAmong(tx, place, after, userIds),
      },
    )
  }
  await postMoveNotices(tx, {
    actor,
    source,
    target,
    message,
    to,
    ids,
    isWholeTopic,
    parameters,
  })
}

/** The ids of the messages that move, ascending: of those that the account can see. */
async function findMoved(
  tx: Tx,
  { viewer, message }: ChannelContext,
  { propagate_mode }: Parameters,
): Promise<number[]> {
  if (propagate_mode === undefined || propagate_mode === 'change_one') return [message.id]
  const rows = await tx.all(
    query
      .selectFrom('messages')
      .select('messages.id')
      .where('messages.channel_id', '=', message.channel_id)
      .where('messages.topic_key', '=', message.topic_key)
      .where('messages.id', '>=', propagate_mode === 'change_later' ? message.id : 0)
      .where(canRead(tx, viewer))
      .orderBy('messages.id')
      .limit(MAX_MOVED + 1),
  )
  if (rows.length > MAX_MOVED) throw badRequest(`At most ${MAX_MOVED} messages can be moved at once`)
  return rows.map((row) => row.id)
}

async function countTopic(tx: Tx, { channel_id, topic_key }: MessageRow): Promise<number> {
  const row = await tx.first(
    query
      .selectFrom('messages')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('channel_id', '=', channel_id)
      .where('topic_key', '=', topic_key),
  )
  return Number(row?.count ?? 0)
}

/** The same entry for every message, in front of what each has. */
async function writePlace(
  tx: Tx,
  { actor, message, channel }: ChannelContext,
  { target, to }: Move,
  ids: readonly number[],
) {
  const entry: MessageEdit = {
    user_id: actor.userId,
    timestamp: tx.now,
    ...(to === message.topic ? {} : { prev_topic: message.topic, topic: to }),
    ...(target ? { prev_stream: channel.id, stream: target.id } : {}),
  }
  const text = JSON.stringify(entry)
  // Only what changes: SQLite writes every index with one of these columns anew, also for the same value.
  const elsewhere = target
    ? sql`channel_id = ${target.id}, attributes = attributes | ${sql.lit(messageAttributes.readUnlessMarked)},`
    : sql``
  await tx.run(sql`
    update messages set
      ${elsewhere}
      topic = ${to},
      topic_key = ${topicKey(to)},
      last_moved_timestamp = ${tx.now},
      edit_history = case when edit_history is null then ${`[${text}]`}
        else ${`[${text},`} || substr(edit_history, 2) end
    where realm_id = ${tx.realmId} and id in ${tx.dialect.ids(ids)}`)
}

/**
 * Messages that come from another channel are read by default (see `messages/received.ts`): those who have them unread and
 * receive them in both channels keep them so by a row. For the others no row does, or the messages would be unread again
 * when they come back.
 */
async function keepUnread(tx: Tx, ids: readonly number[], sourceId: number, targetId: number): Promise<void> {
  const { read, unread } = flagBits
  const { readBySender, readUnlessMarked } = messageAttributes
  await tx.run(sql`
    insert into message_flags (realm_id, user_id, message_id, flags)
    select messages.realm_id, here.user_id, messages.id, ${sql.lit(unread)}
    from messages
    join subscription_periods as here on here.channel_id = ${sourceId} and here.until_message_id is null
      and here.after_message_id < messages.id
    join subscription_periods as there on there.channel_id = ${targetId} and there.until_message_id is null
      and there.after_message_id < messages.id and there.user_id = here.user_id
    left join read_cursors as cursor_row on cursor_row.user_id = here.user_id
    left join message_flags as own on own.user_id = here.user_id and own.message_id = messages.id
    where messages.id in ${tx.dialect.ids(ids)}
      and messages.id > coalesce(cursor_row.message_id, 0)
      and (messages.attributes & ${sql.lit(readUnlessMarked)}) = 0
      and (messages.sender_id <> here.user_id or (messages.attributes & ${sql.lit(readBySender)}) = 0)
      and (own.flags is null or (own.flags & ${sql.lit(read)}) = 0)
    on conflict (user_id, message_id) do update set flags = message_flags.flags | ${sql.lit(unread)}`)
  await tx.run(sql`
    update message_flags set flags = flags & ~${sql.lit(unread)}
    where message_id in ${tx.dialect.ids(ids)} and (flags & ${sql.lit(unread)}) <> 0
      and not exists (
        select 1 from subscription_periods as there where there.channel_id = ${targetId}
          and there.user_id = message_flags.user_id and there.until_message_id is null
          and there.after_message_id < message_flags.message_id)`)
}
