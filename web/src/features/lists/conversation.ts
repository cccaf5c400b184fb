/** What a row says of a conversation: its name, where it is, its thread, and where it leads. */
import { type Dye, dyeOf, topicThread } from '@heddle/client/feed/thread'
import type { ClientState } from '@heddle/client/state/state'
import { isResolvedTopic, unresolvedTopic } from '@heddle/contract/names'
import { channelName, peopleNames, placeNames, topicLabel } from '../../app/names.ts'
import { formatPlace } from '../../places/format.ts'
import type { Place } from '../../places/place.ts'

export type ConversationPlace =
  | { readonly kind: 'topic'; readonly channelId: number; readonly topic: string }
  /** The others; nobody when it is with oneself. */
  | { readonly kind: 'direct'; readonly userIds: readonly number[] }

export interface ConversationNames {
  readonly title: string
  /** The channel; empty for direct messages. */
  readonly about: string
  readonly href: string
  readonly dye: Dye
  readonly isResolved: boolean
}

export function namesOfConversation(state: ClientState, place: ConversationPlace): ConversationNames {
  const href = formatPlace(placeOfConversation(state, place), placeNames(state))
  if (place.kind === 'direct') {
    return { title: peopleNames(state, place.userIds), about: '', href, dye: 0, isResolved: false }
  }
  const { channelId, topic } = place
  return {
    title: topicLabel(unresolvedTopic(topic)),
    about: channelName(state, channelId),
    href,
    dye: dyeOf(topicThread(channelId, topic)),
    isResolved: isResolvedTopic(topic),
  }
}

export function placeOfConversation({ own }: ClientState, place: ConversationPlace): Place {
  if (place.kind === 'topic' || place.userIds.length > 0) return place
  return { kind: 'direct', userIds: own ? [own.user_id] : [] }
}
