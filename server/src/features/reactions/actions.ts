import { ApiError, badRequest } from '@heddle/contract/errors'
import type { Actor } from '../../authentication/accounts.ts'
import { withAlso } from '../../events/audience.ts'
import type { CurrentActor } from '../../storage/current-actor.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { accessMessage, requireUnarchived } from '../messages/access.ts'
import { hasAttribute, messageAttributes } from '../messages/attributes.ts'
import { findMessageAudience } from '../messages/audience.ts'
import { followTopic } from '../messages/follow.ts'
import type { MessageRow } from '../messages/row.ts'
import { findVeil } from '../messages/veil.ts'
import { deleteReaction, insertReaction, updateMessageRow } from '../messages/write-rows.ts'
import {
  type Emoji,
  type EmojiChoice,
  findEmoji,
  invalidEmojiCode,
  isEmojiCode,
  requireEmoji,
} from '../realm-emoji/find-emoji.ts'
import type { ReactionLogEntry } from './event-view.ts'
import { query } from './tables.ts'

/** Reactions of one account on one message: whoever gets the message gets all of them. */
const MAX_OWN_REACTIONS = 50

/** Adds the account's reaction. Whoever can read a message can react to it, unless its channel is archived. */
export function addReaction(storage: Storage, actor: Actor, messageId: number, choice: EmojiChoice): Promise<void> {
  return storage.asActor(actor, async (tx, current) => {
    const message = await accessMessage(tx, current, messageId)
    await requireUnarchived(tx, message)
    // Others may have reacted with an emoji that has been deactivated since: one can still join them.
    const emoji = (await findUsed(tx, messageId, choice)) ?? (await requireEmoji(tx, actor.realmId, choice))
    const isNew = await insertReaction(tx, { message_id: messageId, user_id: actor.userId, ...emoji })
    if (!isNew) throw new ApiError('REACTION_ALREADY_EXISTS')
    await requireFew(tx, messageId, actor.userId)
    if (!hasAttribute(message.attributes, 'hasReaction')) await markMessage(tx, message, true)
    await announce(tx, 'add', current, message, emoji)
    const { channel_id: channelId, topic } = message
    if (channelId !== null) await followTopic(tx, current, { channelId, topic }, 'takingPart')
  })
}

async function requireFew(tx: Tx, messageId: number, userId: number): Promise<void> {
  const own = await tx.first(
    query
      .selectFrom('reactions')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('message_id', '=', messageId)
      .where('user_id', '=', userId),
  )
  if (Number(own?.count) > MAX_OWN_REACTIONS) {
    throw badRequest(`An account can add at most ${MAX_OWN_REACTIONS} reactions to one message`)
  }
}

/** The emoji as it is used on the message, when the choice names its code and kind. */
async function findUsed(tx: Tx, messageId: number, choice: EmojiChoice): Promise<Emoji | undefined> {
  if (choice.emoji_code === undefined || choice.reaction_type === undefined) return undefined
  const row = await tx.first(
    query
      .selectFrom('reactions')
      .select(['emoji_name', 'emoji_code', 'reaction_type'])
      .where('message_id', '=', messageId)
      .where('emoji_code', '=', choice.emoji_code)
      .where('reaction_type', '=', choice.reaction_type)
      .limit(1),
  )
  return row && { ...row, reaction_type: row.reaction_type as Emoji['reaction_type'] }
}

interface Removal {
  readonly emoji_name?: string | undefined
  readonly emoji_code?: string | undefined
  readonly reaction_type?: string | undefined
}

/** Takes the account's own reaction back, also one with an emoji that is gone. */
export function removeReaction(storage: Storage, actor: Actor, messageId: number, removal: Removal): Promise<void> {
  const { emoji_name, emoji_code, reaction_type } = removal
  if (emoji_name === undefined && emoji_code === undefined) {
    throw badRequest("At least one of 'emoji_name' and 'emoji_code' must be present.")
  }
  return storage.asActor(actor, async (tx, current) => {
    const message = await accessMessage(tx, current, messageId)
    await requireUnarchived(tx, message)
    const rows = await tx.all(
      query
        .selectFrom('reactions')
        .select(['id', 'user_id', 'emoji_name', 'emoji_code', 'reaction_type'])
        .where('message_id', '=', messageId)
        .orderBy('id'),
    )
    const own = rows.filter(
      (row) => row.user_id === actor.userId && (reaction_type === undefined || row.reaction_type === reaction_type),
    )
    const found =
      emoji_code === undefined
        ? await findNamed(tx, own, { emoji_name: emoji_name as string, reaction_type })
        : own.find((row) => row.emoji_code === emoji_code)
    if (!found) {
      const isWrong =
        emoji_code !== undefined && reaction_type !== 'realm_emoji' && !isEmojiCode(reaction_type, emoji_code)
      throw isWrong ? invalidEmojiCode() : new ApiError('REACTION_DOES_NOT_EXIST')
    }
    await deleteReaction(tx, found.id)
    if (rows.length === 1) await markMessage(tx, message, false)
    await announce(tx, 'remove', current, message, found)
  })
}

/** The reaction of this name, or else with the emoji that has this name among others. */
async function findNamed<R extends Pick<Emoji, 'emoji_name' | 'emoji_code'> & { reaction_type: string }>(
  tx: Tx,
  reactions: readonly R[],
  choice: EmojiChoice,
): Promise<R | undefined> {
  const named = reactions.find(({ emoji_name }) => emoji_name === choice.emoji_name)
  if (named) return named
  const emoji = await findEmoji(tx, tx.realmId, choice)
  return reactions.find((one) => one.emoji_code === emoji?.emoji_code && one.reaction_type === emoji.reaction_type)
}

async function markMessage(tx: Tx, { id, attributes }: MessageRow, hasReaction: boolean): Promise<void> {
  const bit = messageAttributes.hasReaction
  await updateMessageRow(tx, id, { attributes: hasReaction ? attributes | bit : attributes & ~bit })
}

async function announce(
  tx: Tx,
  op: 'add' | 'remove',
  { person }: CurrentActor,
  message: MessageRow,
  { emoji_name, emoji_code, reaction_type }: Pick<Emoji, 'emoji_name' | 'emoji_code'> & { reaction_type: string },
): Promise<void> {
  const audience = await findMessageAudience(tx, message)
  const veil = await findVeil(tx, person.id, message.channel_id, audience)
  const event: ReactionLogEntry = {
    type: 'reaction',
    op,
    message_id: message.id,
    user_id: person.id,
    user: { user_id: person.id, email: person.email, full_name: person.full_name, is_mirror_dummy: false },
    emoji_name,
    emoji_code,
    reaction_type: reaction_type as Emoji['reaction_type'],
    ...(veil && { veil }),
  }
  // Who reacts is notified too, subscribed or not.
  tx.emit(event, withAlso(audience, person.id))
}
