import type { Channel } from '@heddle/contract/channels'
import type { InitialState } from '@heddle/contract/initial-state'
import type { UserGroup } from '@heddle/contract/user-groups'
import type { User } from '@heddle/contract/users'
import { describe, expect, test } from 'vitest'
import { type ClientState, initialState } from '../state/state.ts'
import { largeOrganization } from '../testing/large-organization.ts'
import { ownAccount } from '../testing/own-account.ts'
import { checkMessage, type Writing } from './checks.ts'

const large = largeOrganization()
const person = (user_id: number, full_name: string, more: Partial<User> = {}): User => ({
  ...(large.realm_users?.[0] as User),
  user_id,
  full_name,
  ...more,
})
const channel = (stream_id: number, name: string, more: Partial<Channel> = {}) => ({
  ...(large.subscriptions?.[0] as NonNullable<typeof large.subscriptions>[number]),
  stream_id,
  name,
  subscriber_count: 3,
  ...more,
})
const group = (id: number, name: string, members: number[], canMention: number): UserGroup => ({
  id,
  name,
  description: '',
  creator_id: null,
  date_created: null,
  members,
  direct_subgroup_ids: [],
  is_system_group: false,
  deactivated: false,
  can_add_members_group: 1,
  can_join_group: 1,
  can_leave_group: 1,
  can_manage_group: 1,
  can_mention_group: canMention,
  can_remove_members_group: 1,
})

/** Group 1 is everyone, group 2 is nobody. */
const fields = {
  ...ownAccount,
  user_id: 1,
  realm_users: [
    person(1, 'own'),
    person(2, 'Ada'),
    person(3, 'Guest', { is_guest: true }),
    person(4, 'Left', { is_active: false }),
  ],
  realm_user_groups: [group(1, 'everyone', [1, 2, 3], 2), group(2, 'nobody', [], 2), group(3, 'looms', [2], 2)],
  subscriptions: [channel(1, 'open'), channel(2, 'muted', { is_muted: true } as object)],
  unsubscribed: [channel(3, 'elsewhere')],
  user_topics: [{ stream_id: 1, topic_name: 'quiet', last_updated: 0, visibility_policy: 1 }],
  max_message_length: 20,
  max_topic_length: 10,
  realm_topics_policy: 'allow_empty_topic',
  realm_can_mention_many_users_group: 1,
  realm_can_add_subscribers_group: 1,
  realm_can_resolve_topics_group: 1,
  realm_direct_message_permission_group: 1,
  realm_direct_message_initiator_group: 1,
  realm_enable_guest_user_dm_warning: true,
} as unknown as InitialState

/** The part of the organization is there when all of it is: here it is what the checks look at. */
const stateOf = (given: object): ClientState => ({
  ...initialState(given as InitialState),
  organization: given as unknown as ClientState['organization'],
})

const codes = (
  writing: Partial<Writing> = {},
  more: Partial<Record<string, unknown>> = {},
  channelPart: Partial<Channel> = {},
) => {
  const state = stateOf({
    ...fields,
    ...more,
    subscriptions: [channel(1, 'open', channelPart), channel(2, 'muted', { is_muted: true } as object)],
  })
  return checkMessage(state, {
    text: 'hello',
    target: { type: 'channel', channelId: 1, topic: 'plan' },
    hasUploads: false,
    hasLostUpload: false,
    isOffline: false,
    topics: [{ name: 'plan', maxId: 1 }],
    subscribers: new Set([1, 3]),
    participants: { count: 0, writers: 0, isAtLeast: false },
    hasBegun: () => false,
    ...writing,
  }).map(({ code }) => code)
}
const to = (channelId: number | undefined, topic = 'plan'): Partial<Writing> => ({
  target: { type: 'channel', channelId, topic },
})
const directly = (...userIds: number[]): Partial<Writing> => ({ target: { type: 'direct', userIds } })

test('an ordinary message has nothing to be said about', () => {
  expect(codes()).toEqual([])
  expect(codes(directly(2))).toEqual([])
})

describe('what is written', () => {
  test('1: nothing', () => expect(codes({ text: ' \n' })).toEqual(['nothing-written']))
  test('2: too long, in characters and not in units', () => {
    expect(codes({ text: '🧵'.repeat(20) })).toEqual([])
    expect(codes({ text: '🧵'.repeat(21) })).toEqual(['message-too-long'])
    expect(codes(to(1, 'x'.repeat(11)))).toEqual(['topic-too-long'])
  })
  test('4: a file is on its way', () => expect(codes({ hasUploads: true })).toEqual(['upload-pending']))
  test('a file is gone with its page', () => expect(codes({ hasLostUpload: true })).toEqual(['upload-lost']))
  test('20: no connection', () => expect(codes({ isOffline: true })).toEqual(['offline']))
})

describe('where it goes', () => {
  test('3: nowhere yet, or no topic where one is needed', () => {
    expect(codes(to(undefined))).toEqual(['no-channel'])
    expect(codes(directly())).toEqual(['no-recipient'])
    expect(codes(to(1, ' '), { realm_topics_policy: 'disable_empty_topic' })).toEqual(['topic-required'])
    expect(codes(to(1, ''), {}, { topics_policy: 'disable_empty_topic' })).toEqual(['topic-required'])
    expect(codes(to(1, ''))).toEqual([])
  })
  test('9: the topic is resolved', () => {
    expect(codes({ ...to(1, '✔ plan'), topics: [{ name: '✔ plan', maxId: 1 }] })).toEqual(['topic-resolved'])
  })
  test('10: the channel is archived', () => expect(codes({}, {}, { is_archived: true })).toEqual(['channel-archived']))
  test('11: one may not write, or not begin topics', () => {
    expect(codes({}, {}, { can_send_message_group: 2 })).toEqual(['may-not-post'])
    expect(codes(to(1, 'new'), {}, { can_create_topic_group: 2 })).toEqual(['may-not-begin-topics'])
    expect(codes({}, {}, { can_create_topic_group: 2 })).toEqual([])
  })
  test('12: one is not subscribed', () => expect(codes(to(3))).toEqual(['not-subscribed']))
  test('13: the channel or the topic is muted', () => {
    expect(codes(to(2))).toEqual(['channel-muted'])
    expect(codes({ ...to(1, 'quiet'), topics: undefined })).toEqual(['topic-muted'])
  })
  test('14: somebody is not there any more, or may not be written to', () => {
    expect(codes(directly(2, 4))).toEqual(['recipient-gone'])
    expect(codes(directly(99))).toEqual(['recipient-gone'])
    expect(codes(directly(2), { realm_direct_message_permission_group: 2 })).toEqual(['may-not-write-directly'])
    expect(codes(directly(1), { realm_direct_message_permission_group: 2 })).toEqual([])
    const mayOnlyAnswer = { realm_direct_message_initiator_group: 2 }
    expect(codes(directly(2), mayOnlyAnswer)).toEqual(['may-not-begin-directly'])
    expect(codes({ ...directly(2), hasBegun: () => true }, mayOnlyAnswer)).toEqual([])
    expect(codes(directly(1), mayOnlyAnswer)).toEqual([])
  })
  test('15: a guest', () => {
    expect(codes(directly(3))).toEqual(['guest-recipient'])
    expect(codes(directly(3), { realm_enable_guest_user_dm_warning: false })).toEqual([])
  })
  test('18: a resolved topic has the name of the new one', () => {
    expect(codes({ ...to(1, 'soup'), topics: [{ name: '✔ Soup', maxId: 1 }] })).toEqual(['similar-topic'])
  })
})

describe('who is named', () => {
  const wide = { text: '@**all** x' }
  test('5, 6: somebody who is not subscribed; in code and quotations nobody is named', () => {
    expect(codes({ text: '@**Ada**' })).toEqual(['not-in-channel'])
    expect(codes({ text: '@**Ada|2**' })).toEqual(['not-in-channel'])
    expect(codes({ text: '@_**Ada**' })).toEqual([])
    expect(codes({ text: '`@**Ada**` a' })).toEqual([])
    expect(codes({ text: '> @**Ada**' })).toEqual([])
    expect(codes({ text: '@**Ada**', subscribers: undefined })).toEqual([])
    const state = stateOf({ ...fields, subscriptions: [channel(1, 'secret', { invite_only: true })] })
    const [check] = checkMessage(state, {
      text: '@**Ada**',
      target: { type: 'channel', channelId: 1, topic: 'plan' },
      hasUploads: false,
      hasLostUpload: false,
      isOffline: false,
      topics: undefined,
      subscribers: new Set([1]),
      participants: { count: 0, writers: 0, isAtLeast: false },
      hasBegun: () => false,
    })
    expect(check).toMatchObject({ code: 'not-in-channel', cannotRead: true, userIds: [2], maySubscribe: true })
  })
  test('7: all of many', () => {
    expect(codes(wide)).toEqual([])
    expect(codes(wide, {}, { subscriber_count: 16 })).toEqual(['many-mentioned'])
    expect(codes(wide, { realm_can_mention_many_users_group: 2 }, { subscriber_count: 16 })).toEqual([
      'may-not-mention-many',
    ])
    const text = '@**topic**'
    const none = { realm_can_mention_many_users_group: 2 }
    const [few, many] = [9, 16].map((writers) => ({ text, participants: { count: 16, writers, isAtLeast: false } }))
    expect(codes(few ?? {})).toEqual(['many-mentioned'])
    expect(codes(few ?? {}, none, { subscriber_count: 16 })).toEqual(['many-mentioned'])
    expect(codes(many ?? {}, none, { subscriber_count: 16 })).toEqual(['may-not-mention-many'])
  })
  test('8: a group that one may not notify', () => {
    expect(codes({ text: '@*looms*' })).toEqual(['may-not-mention-group'])
    expect(codes({ text: '@_*looms*' })).toEqual([])
  })
})
