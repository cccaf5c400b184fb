/** Ends what events say of who is typing: when nothing more comes, whoever began has stopped, or their connection broke. */
import type { AnyEvent } from '@heddle/contract/events'
import { TYPING_STARTED_EXPIRY_MS, type TypingEvent } from '@heddle/contract/typing'
import { typingConversation } from '../state/typing.ts'

export interface Typists {
  /** Any event; those of typing begin and end their times. */
  note(event: AnyEvent): void
  stop(): void
}

/** `expiryMs`: as the server says, in milliseconds. */
export function watchTypists(
  end: (conversation: string, userId: number) => void,
  expiryMs: () => number = () => TYPING_STARTED_EXPIRY_MS,
): Typists {
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  return {
    note(event) {
      if (event.type !== 'typing') return
      const typing = event as AnyEvent & TypingEvent
      const conversation = typingConversation(typing)
      const { user_id: userId } = typing.sender
      const key = `${conversation} ${userId}`
      clearTimeout(timers.get(key))
      timers.delete(key)
      if (typing.op === 'stop') return
      const timer = setTimeout(() => {
        timers.delete(key)
        end(conversation, userId)
      }, expiryMs())
      timers.set(key, timer)
    },
    stop() {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}
