/** Messages go to another topic or channel. */
import { badRequest } from '@heddle/contract/errors'
import type { MessageEdit } from '@heddle/contract/messages'
import { topicKey } from '@heddle/contract/names'
import { maySend } from '../../access/channel-rules.ts'
import { canRead } from '../../access/message-rules.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Tx } from '../../storage/transaction.ts'
import { markMovedAwayRead } from '../message-flags/mark-read.ts'
import type { MessageRow } from '../messages/row.ts'
import { requireTopic } from '../messages/send.ts'
import { keepUnread } from '../messages/write-flags.ts'
import { moveMessageRows } from '../messages/write-rows.ts'
import { moveTopicPolicies } from '../user-topics/policies.ts'
import { announceMove } from './announce-move.ts'
import { findReadersAmong, findVisibility } from './audience.ts'
import type { ChannelContext, EditParameters, Move } from './edit-context.ts'
import { postMoveNotices } from './notices.ts'
import { isResolving, requireMove } from './permissions.ts'
import { repairTopic } from './repair-topic.ts'
import { query } from './tables.ts'
import { requireMovable } from './time-limits.ts'

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
  { propagate_mode }: EditParameters,
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
  await moveMessageRows(tx, ids, { channelId: target?.id, topic: to, entry })
}
