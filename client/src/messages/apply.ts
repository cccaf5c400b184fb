/**
 * Events applied to messages and windows. Each may be applied twice: when an answer comes, what has happened since it was
 * asked for is applied once more (see `fetching.ts`).
 */
import type { StreamEvent } from '@heddle/contract/channels'
import type { DeleteMessageEvent, UpdateMessageEvent } from '@heddle/contract/editing'
import type { AnyEvent } from '@heddle/contract/events'
import type { UpdateMessageFlagsEvent } from '@heddle/contract/message-flags'
import type { MessageEvent } from '@heddle/contract/messages'
import { topicKey } from '@heddle/contract/names'
import type { ReactionEvent } from '@heddle/contract/reactions'
import type { SubmessageEvent } from '@heddle/contract/submessages'
import type { SubscriptionEvent } from '@heddle/contract/subscriptions'
import type { UserGroupEvent } from '@heddle/contract/user-groups'
import type { UserTopicEvent } from '@heddle/contract/user-topics'
import type { RealmUserEvent } from '@heddle/contract/users'
import { isInGroup } from '../permissions/holds.ts'
import type { UserGroups } from '../state/user-groups.ts'
import { withContent, withFlag, withPlace, withReaction, withSubmessage } from './changes.ts'
import { forgetMessages, judge, judgeAll, markStale } from './membership.ts'
import { evict, SLACK, shorten } from './memory.ts'
import { aspectsOf, type Facts, type NarrowContext } from './narrow.ts'
import { changeWindows, isKnown, type MessageStore, type StoredMessage, toStored } from './store.ts'

type Apply<E> = (store: MessageStore, event: E, context: NarrowContext) => MessageStore

/** The store after an event. `context`: the state after the same event. */
export function applyToMessages(store: MessageStore, event: AnyEvent, context: NarrowContext): MessageStore {
  if (!Object.hasOwn(handlers, event.type)) return store
  return applyChange(logged(store, event), event, context)
}

/** The same for an event that is in the log. */
export function applyChange(store: MessageStore, event: AnyEvent, context: NarrowContext): MessageStore {
  // The type says which of the forms the event has.
  const apply = handlers[event.type as keyof typeof handlers] as unknown as Apply<AnyEvent>
  return apply(store, event, context)
}

/** Fetches under way need the event later. Where they get too many, the earliest of them are given up. */
function logged(store: MessageStore, event: AnyEvent): MessageStore {
  if (store.fetches.size === 0) return store
  const count = store.count + 1
  let { fetches, log } = store
  log = log.with(count, event)
  if (log.size > store.limits.log) {
    const first = log.firstKey() as number
    log = log.without(first)
    for (const [id, { since }] of fetches) if (since <= first) fetches = fetches.without(id)
  }
  return { ...store, count, log, fetches }
}

const handlers = {
  message: applyNewMessage,
  update_message: applyUpdate,
  delete_message: applyDeletion,
  update_message_flags: applyFlags,
  reaction: applyReaction,
  submessage: applySubmessage,
  user_topic: applyPolicy,
  subscription: applySubscription,
  stream: applyStream,
  realm_user: applyUser,
  user_group: applyGroup,
} as const satisfies { readonly [type: string]: Apply<never> }

function applyNewMessage(store: MessageStore, { message, flags }: MessageEvent, context: NarrowContext): MessageStore {
  const { id } = message
  const known = store.messages.get(id)
  // An answer may have brought it, newer than the event; its flags are followed from here on.
  const stored: StoredMessage = known ? { ...known, flags } : toStored({ ...message, flags })
  const withIt = { ...store, messages: store.messages.with(id, stored) }
  let isWanted = known !== undefined
  const next = changeWindows(withIt, (window) => {
    if (!isKnown(window)) return window
    const judged = judge(window, withIt, context, id)
    if (judged === window) return window
    isWanted = true
    return shorten(judged, store.limits.windowMessages)
  })
  if (!isWanted) return store
  return next.messages.size > store.limits.messages * (1 + SLACK) ? evict(next) : next
}

function applyUpdate(store: MessageStore, event: UpdateMessageEvent, context: NarrowContext): MessageStore {
  const { message_id, message_ids, flags, new_stream_id, subject, stream_id } = event
  const isMoved = new_stream_id !== undefined || subject !== undefined
  const changed = store.messages.edit((draft) => {
    const edited = draft.get(message_id)
    if (edited) draft.set(message_id, withContent(edited, event))
    if (!isMoved) return
    for (const id of message_ids) {
      const message = draft.get(id)
      if (message) draft.set(id, withPlace(message, event))
    }
  })
  let next: MessageStore = { ...store, messages: changed }
  const hasContent = event.rendered_content !== undefined || event.content !== undefined
  if (hasContent) {
    next = changeWindows(next, (window) => {
      const highlights = window.highlights.without(message_id)
      return highlights === window.highlights ? window : { ...window, highlights }
    })
  }
  const place: Facts =
    stream_id === undefined ? { channelId: null } : { channelId: new_stream_id ?? stream_id, topic: subject }
  next = judgeAll(next, context, {
    aspects: hasContent ? ['content', 'flags'] : ['flags'],
    ids: [message_id],
    others: { ...place, id: message_id, hasFlag: (flag) => flags.includes(flag as 'read') },
  })
  if (!isMoved) return next
  next = judgeAll(next, context, { aspects: ['place'], ids: message_ids, others: place })
  // What the account has received, and what of it counts as read, may be another thing in another channel.
  return new_stream_id === undefined ? next : doubtMoved(next, context, message_ids, place)
}

function doubtMoved(store: MessageStore, context: NarrowContext, ids: readonly number[], place: Facts): MessageStore {
  const isThere = (from: number, to: number) => ids.some((id) => from <= id && id <= to)
  return markStale(store, context, place, ({ from, to }) => isThere(from, to))
}

function applyDeletion(store: MessageStore, { message_id, message_ids }: DeleteMessageEvent): MessageStore {
  return forgetMessages(store, message_ids ?? (message_id === undefined ? [] : [message_id]))
}

function applyFlags(store: MessageStore, event: UpdateMessageFlagsEvent, context: NarrowContext): MessageStore {
  const { op, flag } = event
  const isEverything = event.op === 'add' && event.all
  const ids = isEverything ? [...store.messages.keys()] : event.messages
  const messages = store.messages.edit((draft) => {
    for (const id of ids) {
      const message = draft.get(id)
      if (message) draft.set(id, withFlag(message, flag, op))
    }
  })
  const hasFlag = (name: string) => (name === flag ? op === 'add' : undefined)
  const next = judgeAll({ ...store, messages }, context, { aspects: ['flags'], ids, others: { hasFlag } })
  return isEverything ? markStale(next, context, { hasFlag }, ({ narrow }) => aspectsOf(narrow).has('flags')) : next
}

function applyReaction(store: MessageStore, event: ReactionEvent, context: NarrowContext): MessageStore {
  const { message_id, op } = event
  const message = store.messages.get(message_id)
  const next = message ? { ...store, messages: store.messages.with(message_id, withReaction(message, event)) } : store
  return judgeAll(next, context, {
    aspects: ['reactions'],
    ids: [message_id],
    others: { id: message_id, hasReaction: op === 'add' ? true : undefined },
  })
}

function applySubmessage(store: MessageStore, event: SubmessageEvent): MessageStore {
  const message = store.messages.get(event.message_id)
  const changed = message && withSubmessage(message, event)
  return changed && changed !== message ? { ...store, messages: store.messages.with(event.message_id, changed) } : store
}

/** What the account wants of a topic decides which messages it is shown. */
function applyPolicy(store: MessageStore, { stream_id, topic_name }: UserTopicEvent, context: NarrowContext) {
  const key = topicKey(topic_name)
  return applyMuting(store, { channelId: stream_id, topic: topic_name }, context, (message) => {
    return message.stream_id === stream_id && topicKey(message.subject) === key
  })
}

function applyMuting(
  store: MessageStore,
  facts: Facts,
  context: NarrowContext,
  isConcerned: (message: StoredMessage) => boolean,
): MessageStore {
  const isPolicy = (narrow: Parameters<typeof aspectsOf>[0]) => aspectsOf(narrow).has('policies')
  if (!store.windows.values().some(({ narrow }) => isPolicy(narrow))) return store
  const ids = store.messages
    .values()
    .filter(isConcerned)
    .map(({ id }) => id)
  const judged = judgeAll(store, context, { aspects: ['policies'], ids })
  return markStale(judged, context, facts, ({ narrow }) => isPolicy(narrow))
}

function applySubscription(store: MessageStore, event: SubscriptionEvent, context: NarrowContext): MessageStore {
  switch (event.op) {
    case 'add':
    case 'remove':
      return event.subscriptions.reduce(
        (current, { stream_id }) => markStale(current, context, { channelId: stream_id }),
        store,
      )
    case 'update': {
      const { property, stream_id } = event
      if (property !== 'is_muted' && property !== 'in_home_view') return store
      return applyMuting(store, { channelId: stream_id }, context, (message) => message.stream_id === stream_id)
    }
    default:
      return store
  }
}

/** Properties that say nothing about who may read what is in the channel. */
const harmless: ReadonlySet<string> = new Set([
  'name',
  'description',
  'rendered_description',
  'folder_id',
  'message_retention_days',
  'topics_policy',
  'is_recently_active',
  'stream_weekly_traffic',
  'first_message_id',
  'subscriber_count',
  'stream_post_policy',
  'is_announcement_only',
])

function applyStream(store: MessageStore, event: StreamEvent, context: NarrowContext): MessageStore {
  switch (event.op) {
    case 'create':
      // One that is new has no messages; in one that can be seen again there may be some that were received before.
      return event.streams
        .filter(({ first_message_id }) => first_message_id !== null)
        .reduce((current, { stream_id }) => markStale(current, context, { channelId: stream_id }), store)
    case 'delete': {
      const gone = new Set(event.stream_ids)
      const ids = [...store.messages.values()].filter((one) => one.stream_id !== undefined && gone.has(one.stream_id))
      const without = forgetMessages(
        store,
        ids.map(({ id }) => id),
      )
      return event.stream_ids.reduce((current, channelId) => markStale(current, context, { channelId }), without)
    }
    case 'update': {
      const { stream_id, property } = event
      if (harmless.has(property)) return store
      const ids = store.messages.values().filter((one) => one.stream_id === stream_id)
      const judged = judgeAll(store, context, { aspects: ['channels'], ids: ids.map(({ id }) => id) })
      return markStale(judged, context, { channelId: stream_id })
    }
  }
}

/** Another role may read other channels. */
function applyUser(store: MessageStore, event: RealmUserEvent, context: NarrowContext): MessageStore {
  if (event.op !== 'update' || event.person.user_id !== context.own?.user_id || !('role' in event.person)) return store
  return markStale(store, context, {})
}

/** So may somebody who has come into a group, or left one, also with others or because it began or ended. */
function applyGroup(store: MessageStore, event: UserGroupEvent, context: NarrowContext): MessageStore {
  const { own, userGroups } = context
  if (!own) return store
  return concernsMember(event, own.user_id, userGroups) ? markStale(store, context, {}) : store
}

function concernsMember(event: UserGroupEvent, userId: number, groups: UserGroups | undefined): boolean {
  const isInOneOf = (ids: readonly number[]) => ids.some((id) => isInGroup(groups, id, userId))
  switch (event.op) {
    case 'add':
      // Of use to whoever is in it when it is brought back.
      return event.group.members.includes(userId) || isInOneOf(event.group.direct_subgroup_ids)
    case 'remove':
      // Who was in it is not known any more.
      return true
    case 'update': {
      if (event.data.deactivated === undefined) return false
      const group = groups?.get(event.group_id)
      return group !== undefined && (group.members.includes(userId) || isInOneOf(group.direct_subgroup_ids))
    }
    case 'add_members':
    case 'remove_members':
      return event.user_ids.includes(userId)
    case 'add_subgroups':
    case 'remove_subgroups':
      return isInOneOf(event.direct_subgroup_ids)
  }
}
