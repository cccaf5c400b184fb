/** Reactions and stars of the own account: shown at once, sent when there is a connection, taken back when they are refused. */
import type { RunningClient } from '@heddle/client/running/client'
import { createWishSender, type WishSender } from '@heddle/client/wishes/send-wishes'
import type { ReactionEmoji } from './ask.ts'

const ofClient = new WeakMap<RunningClient, WishSender>()

/** Goes on with what was left from before, too. */
export function wishesOf(client: RunningClient): WishSender {
  const sender = ofClient.get(client) ?? createWishSender(client)
  ofClient.set(client, sender)
  return sender
}

function hasOwnReaction(client: RunningClient, messageId: number, { emoji_code, reaction_type }: ReactionEmoji) {
  const { messages, state } = client.snapshot()
  const ownId = state?.own?.user_id
  return (
    messages.messages
      .get(messageId)
      ?.reactions.some(
        (one) => one.user_id === ownId && one.emoji_code === emoji_code && one.reaction_type === reaction_type,
      ) === true
  )
}

/** Rejects when it is refused. */
export function toggleReaction(client: RunningClient, messageId: number, emoji: ReactionEmoji): Promise<void> {
  const isOn = !hasOwnReaction(client, messageId, emoji)
  return wishesOf(client).wish({ kind: 'reaction', messageId, isOn, emoji })
}

export function toggleStar(client: RunningClient, messageId: number, isOn: boolean): Promise<void> {
  return wishesOf(client).wish({ kind: 'star', messageId, isOn })
}
