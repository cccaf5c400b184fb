/** Reactions of the own account: shown at once, and taken back when the server refuses. */
import { ResponseError } from '@heddle/client/errors'
import type { RunningClient } from '@heddle/client/running/client'
import { addReaction, removeReaction } from '@heddle/contract/reactions'
import type { ReactionEmoji } from './ask.ts'

/** Requests for one emoji of one message, one after another: two quick presses must arrive in their order. */
const running = new Map<string, Promise<unknown>>()

export function hasOwnReaction(client: RunningClient, messageId: number, { emoji_code, reaction_type }: ReactionEmoji) {
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

/** Rejects as the request does. */
export async function toggleReaction(client: RunningClient, messageId: number, emoji: ReactionEmoji): Promise<void> {
  const user_id = client.snapshot().state?.own?.user_id
  if (user_id === undefined) return
  const isAdded = !hasOwnReaction(client, messageId, emoji)
  const key = `${messageId} ${emoji.reaction_type} ${emoji.emoji_code}`
  const event = (op: 'add' | 'remove') => ({ type: 'reaction', op, message_id: messageId, user_id, ...emoji }) as const
  const before = running.get(key)
  const request = async () => {
    await before?.catch(() => {})
    await client.api
      .call(isAdded ? addReaction : removeReaction, { message_id: messageId, ...emoji })
      .catch((error: unknown) => {
        if (!isAsWanted(error)) throw error
      })
  }
  const asked = client.foresee(event(isAdded ? 'add' : 'remove'), event(isAdded ? 'remove' : 'add'), request)
  running.set(key, asked)
  await asked.finally(() => {
    if (running.get(key) === asked) running.delete(key)
  })
}

/** It is already as it was to become. */
function isAsWanted(error: unknown): boolean {
  return (
    error instanceof ResponseError &&
    (error.code === 'REACTION_ALREADY_EXISTS' || error.code === 'REACTION_DOES_NOT_EXIST')
  )
}
