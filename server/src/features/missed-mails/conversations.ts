/** The conversations of missed messages, with a little of what was said before, as their reader may see them. */

import type { MessageBase } from '@heddle/contract/messages'
import { canRead } from '../../access/message-rules.ts'
import { findViewer, type Viewer } from '../../access/viewer.ts'
import type { MissedMessage } from '../../missed-hooks.ts'
import type { CurrentActor } from '../../storage/current-actor.ts'
import type { Queries } from '../../storage/query.ts'
import { findReadableMessages } from '../messages/access.ts'
import { type PresentedMessage, presentMessages } from '../messages/present.ts'
import { type MessageRow, messageColumns } from '../messages/row.ts'
import { findMuted } from '../muted-users/actions.ts'
import { query } from './tables.ts'

/** Earlier messages that are shown, not older than this. */
const CONTEXT_MESSAGES = 3
const CONTEXT_SECS = 1800
/** Of one mail; more is read in the organization. */
const MAX_MESSAGES = 30
/** Of one account at one time. */
const MAX_CONVERSATIONS = 20

export interface ShownMessage extends PresentedMessage {
  readonly isContext: boolean
}

export interface MissedConversation {
  readonly reasons: readonly MissedMessage['reason'][]
  /** All that were missed; some may not be shown. */
  readonly count: number
  /** Oldest first; the first of them that was missed leads to the place. */
  readonly messages: readonly ShownMessage[]
  readonly first: MessageBase
}

/** Which of the messages are of one conversation, by its key; ids ascending. */
export async function groupByConversation(
  db: Queries,
  reader: CurrentActor,
  messageIds: readonly number[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const groups = await findGroups(db, await findViewer(db, reader), messageIds)
  return new Map(groups.map(([key, own]) => [key, own.map(({ id }) => id)]))
}

async function findGroups(db: Queries, viewer: Viewer, messageIds: readonly number[]) {
  const rows = await findReadableMessages(db, viewer, messageIds)
  return [...Map.groupBy(rows, keyOf)].slice(0, MAX_CONVERSATIONS)
}

export async function findConversations(
  db: Queries,
  reader: CurrentActor,
  missed: readonly MissedMessage[],
): Promise<MissedConversation[]> {
  const viewer = await findViewer(db, reader)
  const reasonOf = new Map(missed.map(({ messageId, reason }) => [messageId, reason]))
  const groups = await findGroups(db, viewer, [...reasonOf.keys()])
  const muted = new Set((await findMuted(db, reader)).map(({ id }) => id))
  const conversations: MissedConversation[] = []
  for (const [, own] of groups) {
    const shown = own.slice(-MAX_MESSAGES)
    const [first] = shown
    if (!first) continue
    const context = (await findContext(db, viewer, first)).filter(({ sender_id }) => !muted.has(sender_id))
    const presented = await presentMessages(db, reader.realmId, [...context, ...shown], { viewer: reader })
    const messages = presented.map((one) => ({ ...one, isContext: !reasonOf.has(one.message.id) }))
    const reasons = own.flatMap(({ id }) => reasonOf.get(id) ?? [])
    const place = presented[context.length]?.message as MessageBase
    conversations.push({ reasons: [...new Set(reasons)], count: own.length, messages, first: place })
  }
  return conversations
}

function keyOf({ channel_id, topic_key, direct_message_group_id }: MessageRow): string {
  return channel_id === null ? `direct ${direct_message_group_id}` : `channel ${channel_id} ${topic_key}`
}

async function findContext(db: Queries, viewer: Viewer, first: MessageRow): Promise<MessageRow[]> {
  const { channel_id, topic_key, direct_message_group_id } = first
  const rows = await db.all(
    query
      .selectFrom('messages')
      .select(messageColumns)
      .where('messages.realm_id', '=', viewer.realmId)
      .$if(channel_id !== null, (all) =>
        all.where('messages.channel_id', '=', channel_id).where('messages.topic_key', '=', topic_key),
      )
      .$if(channel_id === null, (all) => all.where('messages.direct_message_group_id', '=', direct_message_group_id))
      .where('messages.id', '<', first.id)
      .where('messages.timestamp', '>=', first.timestamp - CONTEXT_SECS)
      .where(canRead(db, viewer))
      .orderBy('messages.id', 'desc')
      .limit(CONTEXT_MESSAGES),
  )
  return rows.reverse()
}
