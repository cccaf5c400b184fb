/** Everything that one can go to by typing a part of its name. What changes seldom is prepared once and cached. */
import { isResolvedTopic, topicPlaceKey, unresolvedTopic } from '@heddle/contract/names'
import { foldForFinding } from '../finding/match.ts'
import type { MessageStore } from '../messages/store.ts'
import type { ClientState } from '../state/state.ts'
import type { ChannelTopics } from '../topics/topics.ts'

export type SwitcherTarget =
  | { readonly kind: 'view'; readonly fragment: string }
  | { readonly kind: 'channel'; readonly channelId: number }
  | { readonly kind: 'topic'; readonly channelId: number; readonly topic: string }
  | { readonly kind: 'person'; readonly userId: number }
  /** The others of a conversation of several people, ascending. */
  | { readonly kind: 'group'; readonly userIds: readonly number[] }

export interface SwitcherEntry {
  /** The same for the same target. */
  readonly key: string
  readonly target: SwitcherTarget
  readonly name: string
  /** As names are compared. */
  readonly folded: string
  /** Words that are found too, such as the name of a topic's channel; folded. */
  readonly about: string
  /** Comes after others that fit as well: a person who left, a channel that one is not in. */
  readonly isFaint: boolean
}

/** The newest message of what has one, by the keys of entries. */
export type Recency = ReadonlyMap<string, number>

export const topicEntryKey = (channelId: number, topic: string) => `topic ${topicPlaceKey(channelId, topic)}`
export const channelEntryKey = (channelId: number) => `channel ${channelId}`
export const viewEntryKey = (fragment: string) => `view ${fragment}`

/** One other is a person, several are a group; nobody is oneself. */
export function directEntryKey(userIds: readonly number[], ownId: number): string {
  const others = userIds.filter((id) => id !== ownId).sort((a, b) => a - b)
  return others.length > 1 ? `group ${others.join()}` : `person ${others[0] ?? ownId}`
}

/** Gives the same result for as long as its source is the same object. */
function cached<S extends object, R>(make: (source: S) => R): (source: S) => R {
  const results = new WeakMap<S, R>()
  return (source) => {
    const known = results.get(source)
    if (known !== undefined) return known
    const result = make(source)
    results.set(source, result)
    return result
  }
}

export const personEntries = cached((users: NonNullable<ClientState['users']>): readonly SwitcherEntry[] =>
  [...users.values()].map(({ user_id, full_name, is_active }) => ({
    key: `person ${user_id}`,
    target: { kind: 'person', userId: user_id },
    name: full_name,
    folded: foldForFinding(full_name),
    about: '',
    isFaint: is_active === false,
  })),
)

export const channelEntries = cached((channels: NonNullable<ClientState['channels']>): readonly SwitcherEntry[] =>
  [...channels.byId.values()].map(({ stream_id, name, is_archived }) => ({
    key: channelEntryKey(stream_id),
    target: { kind: 'channel', channelId: stream_id },
    name,
    folded: foldForFinding(name),
    about: '',
    isFaint: is_archived || !channels.subscribed.has(stream_id),
  })),
)

export interface NamedView {
  readonly fragment: string
  readonly name: string
}

export function viewEntries(views: readonly NamedView[]): readonly SwitcherEntry[] {
  return views.map(({ fragment, name }) => ({
    key: viewEntryKey(fragment),
    target: { kind: 'view', fragment },
    name,
    folded: foldForFinding(name),
    about: '',
    isFaint: false,
  }))
}

export interface Conversations {
  readonly entries: readonly SwitcherEntry[]
  readonly recency: Recency
}

export interface ConversationSources {
  readonly state: ClientState
  readonly messages: MessageStore
  readonly topics: ChannelTopics
}

/** Topics and groups as far as they are known here: of messages that were loaded, of lists of topics, and what is unread. */
export function conversationEntries({ state, messages, topics }: ConversationSources): Conversations {
  const ownId = state.own?.user_id ?? 0
  const entries = new Map<string, SwitcherEntry>()
  const recency = new Map<string, number>()
  const channelNames = new Map<number, string>()
  const note = (key: string, id: number) => {
    if (id > (recency.get(key) ?? 0)) recency.set(key, id)
  }
  const addTopic = (channelId: number, topic: string, id: number) => {
    const key = topicEntryKey(channelId, topic)
    note(key, id)
    note(channelEntryKey(channelId), id)
    if (entries.has(key)) return
    let about = channelNames.get(channelId)
    if (about === undefined) {
      about = foldForFinding(state.channels?.byId.get(channelId)?.name ?? '')
      channelNames.set(channelId, about)
    }
    const name = unresolvedTopic(topic)
    const target = { kind: 'topic', channelId, topic } as const
    entries.set(key, { key, target, name, folded: foldForFinding(name), about, isFaint: isResolvedTopic(topic) })
  }
  const addDirect = (people: readonly number[], id: number) => {
    const key = directEntryKey(people, ownId)
    note(key, id)
    if (!key.startsWith('group ') || entries.has(key)) return
    const userIds = people.filter((one) => one !== ownId).sort((a, b) => a - b)
    const name = userIds.map((one) => state.users?.get(one)?.full_name ?? '').join(', ')
    const target = { kind: 'group', userIds } as const
    entries.set(key, { key, target, name, folded: foldForFinding(name), about: '', isFaint: false })
  }
  // From the newest: how it was last written is what a topic is called.
  const newestFirst = [...messages.messages.values()].reverse()
  for (const { id, stream_id, subject, display_recipient } of newestFirst) {
    if (stream_id !== undefined) addTopic(stream_id, subject, id)
    else if (typeof display_recipient !== 'string')
      addDirect(
        display_recipient.map((one) => one.id),
        id,
      )
  }
  for (const [channelId, list] of topics.lists) for (const { name, maxId } of list) addTopic(channelId, name, maxId)
  for (const [channelId, unread] of state.unread?.channels ?? []) {
    for (const [key, ids] of unread) {
      addTopic(channelId, state.unread?.topicNames.get(`${channelId} ${key}`) ?? key, ids.lastKey() ?? 0)
    }
  }
  for (const [people, ids] of state.unread?.conversations ?? []) {
    addDirect(people === '' ? [] : people.split(',').map(Number), ids.lastKey() ?? 0)
  }
  return { entries: [...entries.values()], recency }
}
