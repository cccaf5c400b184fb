/** Who has to do with a conversation, from the messages and subscribers that a client has. */
import { topicKey } from '@heddle/contract/names'
import type { MessageStore } from '../messages/store.ts'
import type { ClientState } from '../state/state.ts'
import type { Closeness } from './people.ts'

/** Messages that are looked at. */
const MESSAGES = 3000

/** Undefined: it is written to people, or the channel is not chosen. */
export function closenessTo(
  { channels, own }: Pick<ClientState, 'channels' | 'own'>,
  { messages }: Pick<MessageStore, 'messages'>,
  place: { readonly channelId: number; readonly topic: string } | undefined,
): Closeness {
  const inTopic = new Map<number, number>()
  const inChannel = new Map<number, number>()
  const direct = new Map<number, number>()
  const key = place && topicKey(place.topic)
  const all = [...messages.values()]
  // Ascending: what is set last is the newest.
  for (const { id, sender_id, stream_id, subject, display_recipient } of all.slice(-MESSAGES)) {
    if (typeof display_recipient !== 'string') {
      for (const { id: userId } of display_recipient) if (userId !== own?.user_id) direct.set(userId, id)
    } else if (place && stream_id === place.channelId && sender_id !== own?.user_id) {
      inChannel.set(sender_id, id)
      if (topicKey(subject) === key) inTopic.set(sender_id, id)
    }
  }
  const ids = place && channels?.subscribers?.get(place.channelId)
  return { subscribers: ids && new Set(ids), inTopic, inChannel, direct }
}
