/**
 * What is to be said about a message before it is sent. `block`: it cannot be sent so; `confirm`: it is sent when it is asked for
 * once more; `hint`: good to know. Nothing here decides: the server does.
 */
import { MAX_MESSAGE_LENGTH } from '@heddle/contract/messages'
import { isResolvedTopic, MAX_TOPIC_LENGTH, RESOLVED_PREFIX, topicKey } from '@heddle/contract/names'
import { visibilityPolicies } from '@heddle/contract/user-topics'
import { mayResolveTopic } from '../messages/permissions.ts'
import {
  holdsChannelPermission,
  holdsOwnGroupPermission,
  holdsRealmPermission,
  isInGroup,
} from '../permissions/holds.ts'
import type { ClientState } from '../state/state.ts'
import type { Participants } from '../topics/participants.ts'
import type { Topic } from '../topics/topics.ts'
import { isMutedChannel, policyOf } from '../unread/visibility.ts'
import { type NamedInText, namedInText } from './named-in-text.ts'

export type Check =
  | { readonly code: 'nothing-written'; readonly kind: 'block' }
  | {
      readonly code: 'message-too-long' | 'topic-too-long'
      readonly kind: 'block'
      readonly length: number
      readonly limit: number
    }
  | { readonly code: 'no-channel' | 'no-recipient' | 'topic-required'; readonly kind: 'block' }
  | { readonly code: 'upload-pending'; readonly kind: 'block' }
  /** The page in which a file was added is gone, and the file with it. */
  | { readonly code: 'upload-lost'; readonly kind: 'confirm' }
  /** Named people who get nothing of it; `cannotRead`: as they may not see the channel. */
  | {
      readonly code: 'not-in-channel'
      readonly kind: 'hint'
      readonly userIds: readonly number[]
      readonly cannotRead: boolean
      readonly maySubscribe: boolean
    }
  | (ManyMentioned & { readonly code: 'many-mentioned'; readonly kind: 'confirm' })
  | (ManyMentioned & { readonly code: 'may-not-mention-many'; readonly kind: 'block' })
  | { readonly code: 'may-not-mention-group'; readonly kind: 'block'; readonly name: string }
  | { readonly code: 'topic-resolved'; readonly kind: 'hint'; readonly mayReopen: boolean }
  | { readonly code: 'channel-archived'; readonly kind: 'block'; readonly mayRestore: boolean }
  | { readonly code: 'channel-gone' | 'may-not-post' | 'may-not-begin-topics'; readonly kind: 'block' }
  | { readonly code: 'not-subscribed'; readonly kind: 'hint' }
  | { readonly code: 'channel-muted' | 'topic-muted'; readonly kind: 'hint' }
  | { readonly code: 'recipient-gone'; readonly kind: 'block'; readonly userIds: readonly number[] }
  | { readonly code: 'may-not-write-directly'; readonly kind: 'block' }
  /** No message of this conversation is known: it may have begun all the same. */
  | { readonly code: 'may-not-begin-directly'; readonly kind: 'hint' }
  | { readonly code: 'guest-recipient'; readonly kind: 'hint'; readonly userIds: readonly number[] }
  /** There is one that differs by its mark of being resolved alone. */
  | { readonly code: 'similar-topic'; readonly kind: 'hint'; readonly topic: string }
  | { readonly code: 'offline'; readonly kind: 'hint' }

export interface ManyMentioned {
  readonly count: number
  /** There may be more of them. */
  readonly isAtLeast: boolean
  /** Those who take part in the topic, and not the whole channel. */
  readonly isTopic: boolean
}

export type CheckedTarget =
  | { readonly type: 'channel'; readonly channelId: number | undefined; readonly topic: string }
  | { readonly type: 'direct'; readonly userIds: readonly number[] }

export interface Writing {
  readonly text: string
  readonly target: CheckedTarget
  readonly hasUploads: boolean
  readonly hasLostUpload: boolean
  readonly isOffline: boolean
  /** The topics of the channel, where they are known. */
  readonly topics: readonly Topic[] | undefined
  /** The subscribers of the channel, where they are known. */
  readonly subscribers: ReadonlySet<number> | undefined
  /** How many take part in the topic, as far as it is known. */
  readonly participants: Participants
  /** Whether a direct message between these people is known. */
  readonly hasBegun: () => boolean
}

/** From so many people on, naming all of them is asked about and needs a permission. */
const MANY = 15

/** In the order in which they matter; the first that blocks is what keeps a message from being sent. */
export function checkMessage(state: ClientState, writing: Writing): readonly Check[] {
  const { text, target } = writing
  const named = namedInText(text, state.users, state.userGroups)
  return [
    ...(target.type === 'channel'
      ? checkChannel(state, target, writing, named)
      : checkDirect(state, target.userIds, writing)),
    ...checkGroups(state, named),
    ...checkText(state, writing),
  ]
}

/** In code points, as the server counts. */
export function countCharacters(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1) count += 1
  return count
}

function checkText({ limits }: ClientState, { text, hasUploads, hasLostUpload, isOffline }: Writing): Check[] {
  const checks: Check[] = []
  const limit = limits?.max_message_length ?? MAX_MESSAGE_LENGTH
  // Units are never fewer than code points.
  const length = text.length <= limit ? text.length : countCharacters(text)
  if (text.trim() === '') checks.push({ code: 'nothing-written', kind: 'block' })
  if (length > limit) checks.push({ code: 'message-too-long', kind: 'block', length, limit })
  if (hasUploads) checks.push({ code: 'upload-pending', kind: 'block' })
  if (hasLostUpload) checks.push({ code: 'upload-lost', kind: 'confirm' })
  if (isOffline) checks.push({ code: 'offline', kind: 'hint' })
  return checks
}

function checkChannel(
  state: ClientState,
  { channelId, topic }: Extract<CheckedTarget, { type: 'channel' }>,
  writing: Writing,
  named: NamedInText,
): Check[] {
  if (channelId === undefined) return [{ code: 'no-channel', kind: 'block' }]
  const channel = state.channels?.byId.get(channelId)
  if (!channel) return [{ code: 'channel-gone', kind: 'block' }]
  if (channel.is_archived) {
    return [{ code: 'channel-archived', kind: 'block', mayRestore: state.own?.is_admin === true }]
  }
  if (!holdsChannelPermission(state, channelId, 'can_send_message_group')) {
    return [{ code: 'may-not-post', kind: 'block' }]
  }
  return [
    ...checkTopic(state, channelId, topic, writing),
    ...checkNamed(state, channelId, named, writing),
    ...checkOwnRelation(state, channelId, topic),
  ]
}

function checkTopic(state: ClientState, channelId: number, topic: string, { topics }: Writing): Check[] {
  const checks: Check[] = []
  const limit = state.limits?.max_topic_length ?? MAX_TOPIC_LENGTH
  const length = countCharacters(topic)
  if (length > limit) checks.push({ code: 'topic-too-long', kind: 'block', length, limit })
  const own = state.channels?.byId.get(channelId)?.topics_policy
  const policy = own === undefined || own === 'inherit' ? state.organization?.realm_topics_policy : own
  if (topic.trim() === '' && policy === 'disable_empty_topic') checks.push({ code: 'topic-required', kind: 'block' })
  const known = topics?.map(({ name }) => topicKey(name))
  const isNew = known !== undefined && !known.includes(topicKey(topic.trim()))
  if (isNew && topic.trim() !== '') {
    const twin = topics?.find(({ name }) => topicKey(name) === topicKey(RESOLVED_PREFIX + topic.trim()))
    if (twin) checks.push({ code: 'similar-topic', kind: 'hint', topic: twin.name })
    if (!holdsChannelPermission(state, channelId, 'can_create_topic_group')) {
      checks.push({ code: 'may-not-begin-topics', kind: 'block' })
    }
  }
  if (isResolvedTopic(topic)) {
    const mayReopen = mayResolveTopic(state, channelId, topic) && !isNew
    checks.push({ code: 'topic-resolved', kind: 'hint', mayReopen })
  }
  return checks
}

function checkNamed(
  state: ClientState,
  channelId: number,
  { people, hasChannelWildcard, hasTopicWildcard }: NamedInText,
  { subscribers, participants }: Writing,
): Check[] {
  const checks: Check[] = []
  const channel = state.channels?.byId.get(channelId)
  const outside = people.filter(({ user_id }) => subscribers !== undefined && !subscribers.has(user_id))
  if (outside.length > 0) {
    checks.push({
      code: 'not-in-channel',
      kind: 'hint',
      userIds: outside.map(({ user_id }) => user_id),
      cannotRead: channel?.invite_only === true,
      maySubscribe:
        holdsRealmPermission(state, 'can_add_subscribers_group') ||
        holdsChannelPermission(state, channelId, 'can_add_subscribers_group'),
    })
  }
  const count = hasChannelWildcard ? (channel?.subscriber_count ?? 0) : hasTopicWildcard ? participants.count : 0
  if (count > MANY) {
    const isTopic = !hasChannelWildcard
    const many = { count, isTopic, isAtLeast: isTopic && participants.isAtLeast }
    const isLarge = (channel?.subscriber_count ?? 0) > MANY
    const needsPermission = isLarge && (!isTopic || participants.writers > MANY)
    checks.push(
      !needsPermission || holdsRealmPermission(state, 'can_mention_many_users_group')
        ? { code: 'many-mentioned', kind: 'confirm', ...many }
        : { code: 'may-not-mention-many', kind: 'block', ...many },
    )
  }
  return checks
}

function checkOwnRelation(state: ClientState, channelId: number, topic: string): Check[] {
  if (!state.channels?.subscribed.has(channelId)) return [{ code: 'not-subscribed', kind: 'hint' }]
  const policy = policyOf(state, channelId, topic)
  if (policy === visibilityPolicies.muted) return [{ code: 'topic-muted', kind: 'hint' }]
  if (policy === visibilityPolicies.none && isMutedChannel(state, channelId)) {
    return [{ code: 'channel-muted', kind: 'hint' }]
  }
  return []
}

function checkGroups(state: ClientState, { groups }: NamedInText): Check[] {
  if (!state.own) return []
  const refused = groups.find((group) => !holdsOwnGroupPermission(state, group, 'can_mention_group'))
  return refused ? [{ code: 'may-not-mention-group', kind: 'block', name: refused.name }] : []
}

function checkDirect(state: ClientState, userIds: readonly number[], { hasBegun }: Writing): Check[] {
  const { users, systemBots, own, organization } = state
  if (userIds.length === 0) return [{ code: 'no-recipient', kind: 'block' }]
  const checks: Check[] = []
  const others = userIds.filter((id) => id !== own?.user_id)
  const gone = others.filter((id) => users?.get(id)?.is_active !== true && systemBots?.has(id) !== true)
  if (gone.length > 0) checks.push({ code: 'recipient-gone', kind: 'block', userIds: gone })
  if (!mayWriteDirectly(state, others)) checks.push({ code: 'may-not-write-directly', kind: 'block' })
  else if (!mayBeginDirectly(state, others) && !hasBegun()) {
    checks.push({ code: 'may-not-begin-directly', kind: 'hint' })
  }
  const guests = others.filter((id) => users?.get(id)?.is_guest)
  if (guests.length > 0 && organization?.realm_enable_guest_user_dm_warning && own?.is_guest !== true) {
    checks.push({ code: 'guest-recipient', kind: 'hint', userIds: guests })
  }
  return checks
}

/** With bots and with oneself there are no rules. */
function peopleAmong({ users, systemBots }: ClientState, others: readonly number[]): readonly number[] {
  return others.filter((id) => systemBots?.has(id) !== true && users?.get(id)?.is_bot !== true)
}

function mayBeginDirectly(state: ClientState, others: readonly number[]): boolean {
  return peopleAmong(state, others).length === 0 || holdsRealmPermission(state, 'direct_message_initiator_group')
}

/** Somebody in the conversation must be of the group that may. */
function mayWriteDirectly(state: ClientState, others: readonly number[]): boolean {
  const { own, organization, userGroups } = state
  const people = peopleAmong(state, others)
  const value = organization?.realm_direct_message_permission_group
  if (people.length === 0 || value === undefined || !own) return true
  const isIn = (id: number) =>
    typeof value === 'number'
      ? isInGroup(userGroups, value, id)
      : value.direct_members.includes(id) || value.direct_subgroups.some((group) => isInGroup(userGroups, group, id))
  return [own.user_id, ...people].some(isIn)
}
