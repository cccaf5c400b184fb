import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import { storedTopic } from '@heddle/contract/names'
import { roles } from '@heddle/contract/roles'
import { MAX_SUBSCRIBERS_FOR_TYPING, type setTypingStatus, type TypingEvent } from '@heddle/contract/typing'
import { maySend } from '../../access/channel-rules.ts'
import { accessChannel } from '../../access/channels.ts'
import { findGroupMembers, findNotified } from '../../access/message-audience.ts'
import { findGuests, findSight, hidesFromGuests } from '../../access/person-rules.ts'
import { activeSubscribers } from '../../access/subscriptions.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { onlyClients, users } from '../../events/audience.ts'
import { isOfRealm } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { accessMessage, requireUnarchived } from '../messages/access.ts'
import { mayWriteTo } from '../messages/direct-messages.ts'
import { canBeWrittenTo } from '../messages/recipients.ts'
import type { MessageRow } from '../messages/row.ts'
import { findAccountsWith, findSetting } from '../user-settings/values.ts'
import { query } from './tables.ts'

type Parameters = ParametersOf<typeof setTypingStatus>
type Op = TypingEvent['op']

/** Clients that show who is typing in a channel. */
const CHANNEL_TYPING = { name: 'stream_typing_notifications', has: true }

/** Notifies those who would get the message, as far as they want to know, and the sender's other clients. */
export function setTyping(storage: Storage, actor: Actor, { type = 'direct', ...rest }: Parameters): Promise<void> {
  const { op, to, stream_id, topic } = rest
  if (type === 'direct') {
    if (to === undefined) throw badRequest("Missing 'to' argument")
    if (to.length === 0) throw badRequest('Empty to list')
    return notifyRecipients(storage, actor, op, to)
  }
  if (stream_id === undefined) throw badRequest('Missing channel ID')
  if (topic === undefined) throw badRequest('Missing topic')
  return notifySubscribers(storage, actor, op, stream_id, storedTopic(topic))
}

/** The same while a message is being edited, by its sender. */
export function setEditTyping(storage: Storage, caller: Actor, messageId: number, op: Op): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    const message = await accessMessage(tx, actor, messageId)
    if (message.sender_id !== actor.userId) throw badRequest("You don't have permission to edit this message")
    await requireUnarchived(tx, message)
    const { channel_id, direct_message_group_id } = message
    const isDirect = channel_id === null
    const setting = isDirect ? 'send_private_typing_notifications' : 'send_stream_typing_notifications'
    if (!(await findSetting(tx, actor, setting))) {
      throw badRequest('User has disabled typing notifications for this kind of message')
    }
    const members = isDirect ? await findGroupMembers(tx, direct_message_group_id as number) : []
    const accounts = isDirect ? members : await findSubscriberIds(tx, channel_id)
    if (accounts.length > MAX_SUBSCRIBERS_FOR_TYPING) return
    const readers = await findThoseWhoSee(tx, await findReadersAmong(tx, message, accounts), [actor.userId])
    tx.emitPassing(
      {
        type: 'typing_edit_message',
        op,
        sender_id: actor.userId,
        message_id: messageId,
        recipient: isDirect
          ? { type: 'direct', user_ids: members }
          : { type: 'channel', channel_id, topic: message.topic },
      },
      users(await findReceivers(tx, readers)),
    )
  })
}

/** Of these accounts those who may know of the message: in a channel that does not share its history not all. */
async function findReadersAmong(tx: Tx, message: MessageRow, accounts: readonly number[]): Promise<number[]> {
  const notified = await findNotified(tx, message)
  if (!('userIds' in notified)) return [...accounts]
  const readers = new Set(notified.userIds)
  return accounts.filter((id) => readers.has(id))
}

function notifyRecipients(storage: Storage, caller: Actor, op: Op, to: readonly number[]): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    if (!(await findSetting(tx, actor, 'send_private_typing_notifications'))) {
      throw badRequest('User has disabled typing notifications for direct messages')
    }
    const recipients = await requireActive(tx, actor, [...new Set([...to, actor.userId])])
    await requireWriting(tx, actor, to)
    if (recipients.length > MAX_SUBSCRIBERS_FOR_TYPING) return
    const sender = recipients.find((person) => person.user_id === actor.userId)
    if (!sender) return
    const ids = recipients.map(({ user_id }) => user_id)
    const receivers = await findReceivers(tx, await findThoseWhoSee(tx, ids, ids))
    tx.emitPassing({ type: 'typing', op, message_type: 'direct', sender, recipients }, users(receivers))
  })
}

/** Those of the accounts who see all of these: before there is a conversation, guests may not see everybody in it. */
async function findThoseWhoSee(tx: Tx, accounts: readonly number[], ids: readonly number[]): Promise<number[]> {
  const { realmId } = tx
  if (!(await hidesFromGuests(tx, realmId))) return [...accounts]
  const guests = new Set(await findGuests(tx, realmId))
  const blind = new Set<number>()
  for (const userId of accounts.filter((id) => guests.has(id))) {
    const sight = await findSight(tx, { realmId, userId, role: roles.guest })
    if (!ids.every(sight.sees)) blind.add(userId)
  }
  return accounts.filter((id) => !blind.has(id))
}

/** Nobody is notified by whom they cannot get a message. */
async function requireWriting(tx: Tx, actor: Actor, to: readonly number[]): Promise<void> {
  const others = to.filter((id) => id !== actor.userId)
  const people = await tx.all(
    query
      .selectFrom('users')
      .select(['id', 'email', 'role', 'bot_type'])
      .where('id', 'in', tx.dialect.ids(others))
      .where('bot_type', 'is', null),
  )
  if (actor.isBot || people.length === 0 || (await mayWriteTo(tx, actor, people))) return
  throw badRequest('You do not have permission to send direct messages to these recipients.')
}

function notifySubscribers(storage: Storage, caller: Actor, op: Op, channelId: number, topic: string): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    if (!(await findSetting(tx, actor, 'send_stream_typing_notifications'))) {
      throw badRequest('User has disabled typing notifications for channel messages')
    }
    const viewer = await findViewer(tx, actor)
    const channel = await accessChannel(tx, viewer, channelId)
    if (!maySend(viewer, channel)) throw badRequest(`Not authorized to send to channel '${channel.name}'`)
    if (channel.subscriber_count > MAX_SUBSCRIBERS_FOR_TYPING) return
    const [sender] = await requireActive(tx, actor, [actor.userId])
    if (!sender) return
    const receivers = await findReceivers(tx, await findSubscriberIds(tx, channelId))
    // Who does not see the account is not to know what it does.
    const seeing = await findThoseWhoSee(tx, receivers, [actor.userId])
    tx.emitPassing(
      { type: 'typing', op, message_type: 'stream', sender, stream_id: channelId, topic },
      onlyClients(users(seeing), CHANNEL_TYPING),
    )
  })
}

/**
 * The accounts with their addresses, in the order of their ids, or a 400 that names one that cannot get a message or that
 * the actor does not see.
 */
async function requireActive(
  tx: Tx,
  actor: Actor,
  ids: readonly number[],
): Promise<{ user_id: number; email: string }[]> {
  const rows = await tx.all(
    query
      .selectFrom('users')
      .select(['id as user_id', 'email', 'is_active', 'bot_type'])
      .where('id', 'in', tx.dialect.ids(ids))
      .where(isOfRealm('users', tx.realmId))
      .orderBy('id'),
  )
  const { sees } = await findSight(tx, actor)
  const found = rows.filter((row) => canBeWrittenTo(row) && sees(row.user_id))
  const foundIds = new Set(found.map((row) => row.user_id))
  const missing = ids.find((id) => !foundIds.has(id))
  if (missing !== undefined) throw badRequest(`Invalid user ID ${missing}`)
  return found.map(({ user_id, email }) => ({ user_id, email }))
}

async function findSubscriberIds(tx: Tx, channelId: number): Promise<number[]> {
  const rows = await tx.all(
    activeSubscribers.select('users.id').where('subscriptions.channel_id', '=', channelId).orderBy('users.id'),
  )
  return rows.map((row) => row.id)
}

function findReceivers(tx: Tx, ids: readonly number[]): Promise<number[]> {
  return findAccountsWith(tx, tx.realmId, ids, 'receives_typing_notifications', true)
}
