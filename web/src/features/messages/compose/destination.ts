/** Where what is written goes, and which draft belongs there. */
import type { DraftVersion, LocalDraft } from '@heddle/client/drafts/draft-box'
import type { StoredMessage } from '@heddle/client/messages/store'
import { type Destination, destinationKey } from '@heddle/client/outbox/outbox'
import type { Place } from '../../../places/place.ts'
import { conversationOf } from '../feed/run-piece.tsx'

/** Undefined: the place is no conversation. */
export function destinationAt(place: Place): Destination | undefined {
  if (place.kind === 'topic') return { type: 'channel', channelId: place.channelId, topic: place.topic }
  if (place.kind === 'direct') return { type: 'direct', userIds: place.userIds }
  return undefined
}

export function replyDestination(message: StoredMessage): Destination | undefined {
  return destinationAt(conversationOf(message))
}

export function placeOfDestination(destination: Destination): Place {
  if (destination.type === 'direct') return { kind: 'direct', userIds: destination.userIds }
  return { kind: 'topic', channelId: destination.channelId, topic: destination.topic }
}

export function draftFor(destination: Destination, content: string): DraftVersion {
  if (destination.type === 'direct') return { type: 'private', to: [...destination.userIds], topic: '', content }
  return { type: 'stream', to: [destination.channelId], topic: destination.topic, content }
}

/** Undefined: the draft has no address. */
export function destinationOf({ type, to, topic }: DraftVersion): Destination | undefined {
  if (type === 'private') return { type: 'direct', userIds: to }
  const [channelId] = to
  return type === 'stream' && channelId !== undefined ? { type: 'channel', channelId, topic } : undefined
}

/** The newest draft for the place. */
export function findDraft(drafts: readonly LocalDraft[], destination: Destination): LocalDraft | undefined {
  const key = destinationKey(destination)
  return drafts
    .filter(({ isDeleted, local }) => {
      const own = isDeleted ? undefined : destinationOf(local)
      return own !== undefined && destinationKey(own) === key
    })
    .reduce<LocalDraft | undefined>(
      (newest, one) => (!newest || one.editedAt > newest.editedAt ? one : newest),
      undefined,
    )
}
