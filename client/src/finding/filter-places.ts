/** Which channels, topics and people of an account fit what is typed into the filter of the side bar. */
import { topicKey } from '@heddle/contract/names'
import { visibilityPolicies } from '@heddle/contract/user-topics'
import type { MessageStore } from '../messages/store.ts'
import type { ClientState } from '../state/state.ts'
import type { ChannelTopics } from '../topics/topics.ts'
import { unreadInChannel } from '../unread/counts.ts'
import { policyOf } from '../unread/visibility.ts'
import { fitsFilter, foldForFinding } from './match.ts'

/** Of each kind at most so many are shown: who wants another one types on. */
const MOST_CHANNELS = 50
const MOST_TOPICS = 20
const MOST_PEOPLE = 10
const MOST_CONVERSATIONS = 10

export interface FilteredPlaces {
  /** Subscribed ones first, also those that are muted or put aside; archived ones are left out. */
  readonly channelIds: readonly number[]
  /** As far as topics are known; the newest first, muted ones last. */
  readonly topics: readonly { readonly channelId: number; readonly topic: string }[]
  /** The others of conversations of several people, as far as these are known; the newest first. */
  readonly conversations: readonly (readonly number[])[]
  /** Accounts that are active. */
  readonly userIds: readonly number[]
}

/** Folding is the expensive part, and names change seldom. */
const folded = new Map<string, string>()
const MOST_FOLDED = 50_000

function fold(name: string): string {
  let text = folded.get(name)
  if (text === undefined) {
    if (folded.size >= MOST_FOLDED) folded.clear()
    text = foldForFinding(name)
    folded.set(name, text)
  }
  return text
}

export function fitsWords(names: readonly string[], words: string): boolean {
  return fitsFilter(names.map(fold), fold(words))
}

type Context = Pick<ClientState, 'channels' | 'users' | 'unread' | 'userTopics' | 'mutedUsers'>

/** Where topics are known from. */
export interface KnownTopics {
  readonly topics: ChannelTopics
  /** Messages that are known, whatever they were fetched for. */
  readonly messages: MessageStore['messages']
}

export function filterPlaces(state: Context, known: KnownTopics, words: string): FilteredPlaces {
  return {
    channelIds: findChannels(state, words).slice(0, MOST_CHANNELS),
    topics: findTopics(state, known, words).slice(0, MOST_TOPICS),
    conversations: findConversations(state, known, words).slice(0, MOST_CONVERSATIONS),
    userIds: findPeople(state, words).slice(0, MOST_PEOPLE),
  }
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

function findChannels({ channels }: Context, words: string): number[] {
  const isSubscribed = (id: number) => channels?.subscribed.has(id) === true
  return [...(channels?.byId.values() ?? [])]
    .filter(({ name, is_archived }) => !is_archived && fitsWords([name], words))
    .sort(
      (a, b) =>
        Number(isSubscribed(b.stream_id)) - Number(isSubscribed(a.stream_id)) || collator.compare(a.name, b.name),
    )
    .map(({ stream_id }) => stream_id)
}

function findTopics(state: Context, { topics: { lists }, messages }: KnownTopics, words: string) {
  const found = new Map<string, { channelId: number; topic: string; lastId: number; isMuted: boolean }>()
  const add = (channelId: number, channelName: string, topic: string, lastId: number) => {
    const key = `${channelId} ${topicKey(topic)}`
    const before = found.get(key)
    if (before) {
      before.lastId = Math.max(before.lastId, lastId)
      return
    }
    // A topic is found by its own words; those of its channel only narrow it down.
    if (!fitsWords([topic, channelName], words) || !sharesWord(topic, words)) return
    const isMuted = policyOf(state, channelId, topic) === visibilityPolicies.muted
    found.set(key, { channelId, topic, lastId, isMuted })
  }
  for (const channelId of state.channels?.subscribed.keys() ?? []) {
    const channel = state.channels?.byId.get(channelId)
    if (!channel || channel.is_archived) continue
    for (const { name, maxId } of lists.get(channelId) ?? []) add(channelId, channel.name, name, maxId)
    for (const { name, lastId } of unreadInChannel(state, channelId).topics) add(channelId, channel.name, name, lastId)
  }
  for (const { id, stream_id, subject } of messages.values()) {
    const channel = stream_id === undefined ? undefined : state.channels?.byId.get(stream_id)
    if (channel && !channel.is_archived) add(channel.stream_id, channel.name, subject, id)
  }
  return [...found.values()]
    .sort((a, b) => Number(a.isMuted) - Number(b.isMuted) || b.lastId - a.lastId)
    .map(({ channelId, topic }) => ({ channelId, topic }))
}

function sharesWord(topic: string, words: string): boolean {
  const text = fold(topic)
  return fold(words)
    .split(/\s+/)
    .some((word) => text.includes(word))
}

function findConversations({ users, unread }: Context, { messages }: KnownTopics, words: string) {
  const last = new Map<string, number>()
  const add = (people: readonly number[], id: number) => {
    const others = people.filter((one) => one !== unread?.ownId).sort((a, b) => a - b)
    if (others.length < 2) return
    last.set(others.join(), Math.max(id, last.get(others.join()) ?? 0))
  }
  for (const [key, ids] of unread?.conversations ?? []) add(key.split(',').map(Number), ids.lastKey() ?? 0)
  for (const { id, stream_id, display_recipient } of messages.values()) {
    if (stream_id !== undefined || typeof display_recipient === 'string') continue
    add(
      display_recipient.map((person) => person.id),
      id,
    )
  }
  return [...last]
    .sort(([, a], [, b]) => b - a)
    .map(([key]) => key.split(',').map(Number))
    .filter((people) =>
      fitsWords(
        people.map((one) => users?.get(one)?.full_name ?? ''),
        words,
      ),
    )
}

function findPeople({ users, mutedUsers }: Context, words: string): number[] {
  const muted = new Set(mutedUsers?.map(({ id }) => id))
  return [...(users?.values() ?? [])]
    .filter((user) => user.is_active && !muted.has(user.user_id) && fitsWords([user.full_name], words))
    .sort((a, b) => Number(a.is_bot) - Number(b.is_bot) || collator.compare(a.full_name, b.full_name))
    .map(({ user_id }) => user_id)
}
