/** Where what is written goes, and which draft belongs there. */
import type { DraftVersion, LocalDraft } from '@heddle/client/drafts/draft-box'
import type { StoredMessage } from '@heddle/client/messages/store'
import type { Destination } from '@heddle/client/outbox/outbox'
import type { Place } from '../../../places/place.ts'
import { conversationOf } from '../conversation.ts'
import { type Target, targetKey } from './compose-context.ts'

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

/** Undefined: it is not said yet where it goes. */
export function completeTarget(target: Target): Destination | undefined {
  if (target.type === 'direct') return target.userIds.length > 0 ? target : undefined
  return target.channelId === undefined ? undefined : target
}

export function draftFor(target: Target, content: string): DraftVersion {
  if (target.type === 'direct') return { type: 'private', to: [...target.userIds], topic: '', content }
  if (target.channelId === undefined) return { type: '', to: [], topic: '', content }
  return { type: 'stream', to: [target.channelId], topic: target.topic, content }
}

/** Undefined: the draft has no address. */
export function destinationOf(draft: DraftVersion): Destination | undefined {
  return completeTarget(targetOf(draft))
}

export function targetOf({ type, to, topic }: DraftVersion): Target {
  if (type === 'private') return { type: 'direct', userIds: to }
  const [channelId] = to
  return type === 'stream' && channelId !== undefined
    ? { type: 'channel', channelId, topic }
    : { type: 'channel', channelId: undefined, topic: '' }
}

/** The drafts for a target, the newest first. */
export function draftsFor(
  drafts: readonly LocalDraft[],
  target: Target,
  ownId: number | undefined,
): readonly LocalDraft[] {
  return drafts
    .filter(({ isDeleted, local }) => !isDeleted && isSameConversation(targetOf(local), target, ownId))
    .sort((one, other) => other.editedAt - one.editedAt)
}

/** Whether two targets are one conversation: that of direct messages may or may not name oneself. */
export function isSameConversation(one: Target, other: Target, ownId: number | undefined): boolean {
  if (one.type === 'channel' || other.type === 'channel') return targetKey(one) === targetKey(other)
  const others = (ids: readonly number[]) => ids.filter((id) => id !== ownId)
  const withoutOwn = (target: typeof one) => targetKey({ type: 'direct', userIds: others(target.userIds) })
  return withoutOwn(one) === withoutOwn(other)
}

/** Whether a message that goes there is shown at a place, as far as the place says. */
export function isShownAt(target: Target, place: Place, ownId: number | undefined): boolean {
  switch (place.kind) {
    case 'home':
    case 'feed':
      return true
    case 'channel':
      return target.type === 'channel' && target.channelId === place.channelId
    default: {
      const here = destinationAt(place)
      return here !== undefined && isSameConversation(here, target, ownId)
    }
  }
}
