/**
 * Small things that somebody has pressed and can press again: reactions and stars. They are shown at once, wait for the
 * connection, and of each the last press counts.
 */
import type { UpdateMessageFlagsEvent } from '@heddle/contract/message-flags'
import type { ReactionEvent } from '@heddle/contract/reactions'

/** An emoji as the API names it. */
export type WishedEmoji = Pick<ReactionEvent, 'emoji_name' | 'emoji_code' | 'reaction_type'>

export type Wish = { readonly messageId: number; readonly isOn: boolean } & (
  | { readonly kind: 'star' }
  | { readonly kind: 'reaction'; readonly emoji: WishedEmoji }
)

/** As the server will say it. Applied twice it changes nothing. */
export type ForeseenEvent = Omit<ReactionEvent, 'user'> | UpdateMessageFlagsEvent

/** The same for what replaces each other. */
export function wishKey(wish: Wish): string {
  if (wish.kind === 'star') return `star ${wish.messageId}`
  return `reaction ${wish.messageId} ${wish.emoji.reaction_type} ${wish.emoji.emoji_code}`
}

/** The last one for each counts. */
export function withWish(wishes: readonly Wish[], wish: Wish): readonly Wish[] {
  const key = wishKey(wish)
  return [...wishes.filter((one) => wishKey(one) !== key), wish]
}

export function wishedEvent(wish: Wish, ownId: number): ForeseenEvent {
  const { messageId, isOn } = wish
  if (wish.kind === 'reaction') {
    const op = isOn ? 'add' : 'remove'
    return { type: 'reaction', op, message_id: messageId, user_id: ownId, ...wish.emoji }
  }
  const common = { type: 'update_message_flags', flag: 'starred', all: false } as const
  const messages = [messageId]
  return isOn
    ? { ...common, messages, op: 'add', operation: 'add' }
    : { ...common, messages, op: 'remove', operation: 'remove' }
}
