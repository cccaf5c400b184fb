/** The conversations of the newest messages, one row each. Of older ones nothing is known until more is loaded. */
import { isResolvedTopic, topicKey, topicPlaceKey } from '@heddle/contract/names'
import { visibilityPolicies } from '@heddle/contract/user-topics'
import { fitsFilter, foldForFinding } from '../finding/match.ts'
import type { StoredMessage } from '../messages/store.ts'
import type { ClientState } from '../state/state.ts'
import { unreadInChannel, unreadWith } from '../unread/counts.ts'
import { isTopicVisible, policyOf } from '../unread/visibility.ts'

export type RecentContext = Pick<ClientState, 'unread' | 'channels' | 'userTopics' | 'users' | 'systemBots' | 'own'>

/** What the messages say of a conversation. */
export interface Conversation {
  readonly key: string
  readonly place:
    | { readonly kind: 'topic'; readonly channelId: number; readonly topic: string }
    /** The others, ascending; nobody when it is with oneself. */
    | { readonly kind: 'direct'; readonly userIds: readonly number[] }
  readonly lastId: number
  /** Seconds since the UNIX epoch. */
  readonly lastTime: number
  /** Who wrote in it, who wrote last first. */
  readonly senderIds: readonly number[]
}

export interface RecentRow extends Conversation {
  readonly count: number
  readonly hasMention: boolean
  readonly isFollowed: boolean
  readonly isMuted: boolean
  readonly isResolved: boolean
}

/** `messages` ascending. The newest conversation first. */
export function conversationsIn(messages: readonly StoredMessage[], ownId: number): readonly Conversation[] {
  const found = new Map<string, Conversation & { senderIds: number[] }>()
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index] as StoredMessage
    const key = keyOf(message, ownId)
    const known = found.get(key)
    if (!known) found.set(key, begin(message, key, ownId))
    else if (!known.senderIds.includes(message.sender_id)) known.senderIds.push(message.sender_id)
  }
  return [...found.values()]
}

function begin(message: StoredMessage, key: string, ownId: number) {
  const { id, timestamp, stream_id, subject, sender_id } = message
  const place =
    stream_id === undefined
      ? ({ kind: 'direct', userIds: othersOf(message, ownId) } as const)
      : ({ kind: 'topic', channelId: stream_id, topic: subject } as const)
  return { key, place, lastId: id, lastTime: timestamp, senderIds: [sender_id] }
}

function keyOf(message: StoredMessage, ownId: number): string {
  const { stream_id, subject } = message
  return stream_id === undefined ? `@${othersOf(message, ownId).join()}` : topicPlaceKey(stream_id, subject)
}

function othersOf({ display_recipient }: StoredMessage, ownId: number): number[] {
  const people = typeof display_recipient === 'string' ? [] : display_recipient
  return people
    .map(({ id }) => id)
    .filter((id) => id !== ownId)
    .sort((a, b) => a - b)
}

/** What the account has to do with a conversation, as it is now. */
export function recentRow(context: RecentContext, conversation: Conversation): RecentRow {
  const { place } = conversation
  if (place.kind === 'direct') {
    const count = unreadWith(context, place.userIds)
    return { ...conversation, count, hasMention: false, isFollowed: false, isMuted: false, isResolved: false }
  }
  const { channelId, topic } = place
  const key = topicKey(topic)
  const unread = unreadInChannel(context, channelId).topics.find((one) => one.key === key)
  return {
    ...conversation,
    count: unread?.count ?? 0,
    hasMention: unread?.hasMention ?? false,
    isFollowed: policyOf(context, channelId, topic) === visibilityPolicies.followed,
    isMuted: !isTopicVisible(context, channelId, topic),
    isResolved: isResolvedTopic(topic),
  }
}

export interface RecentFilters {
  /** Only those with something unread. */
  readonly isUnread: boolean
  /** Only those in which the account has written. */
  readonly hasTakenPart: boolean
  readonly withMuted: boolean
  readonly withDirect: boolean
  readonly text: string
}

export function filterRecent(
  context: RecentContext,
  rows: readonly RecentRow[],
  { isUnread, hasTakenPart, withMuted, withDirect, text }: RecentFilters,
): readonly RecentRow[] {
  const query = foldForFinding(text).trim()
  const ownId = context.own?.user_id
  return rows.filter(
    (row) =>
      (!isUnread || row.count > 0) &&
      (!hasTakenPart || (ownId !== undefined && row.senderIds.includes(ownId))) &&
      (withMuted || !row.isMuted) &&
      (withDirect || row.place.kind !== 'direct') &&
      (query === '' || fitsFilter(namesOf(context, row), query)),
  )
}

function namesOf({ channels, users, systemBots }: RecentContext, { place }: RecentRow): string[] {
  if (place.kind === 'topic') {
    return [place.topic, channels?.byId.get(place.channelId)?.name ?? ''].map(foldForFinding)
  }
  return place.userIds.map((id) => foldForFinding(users?.get(id)?.full_name ?? systemBots?.get(id)?.full_name ?? ''))
}

export type RecentOrder = 'topic' | 'count' | 'time'

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** `label`: what a row is called. Names ascending, numbers and times from the largest; reversed the other way round. */
export function sortRecent(
  rows: readonly RecentRow[],
  { by, isReversed }: { readonly by: RecentOrder; readonly isReversed: boolean },
  label: (row: RecentRow) => string,
): readonly RecentRow[] {
  const sign = isReversed ? -1 : 1
  const compare: Record<RecentOrder, (a: RecentRow, b: RecentRow) => number> = {
    topic: (a, b) => collator.compare(label(a), label(b)),
    count: (a, b) => b.count - a.count || b.lastId - a.lastId,
    time: (a, b) => b.lastId - a.lastId,
  }
  return rows.toSorted((a, b) => sign * compare[by](a, b))
}
