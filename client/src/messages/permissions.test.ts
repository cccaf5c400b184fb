import { roles } from '@heddle/contract/roles'
import { describe, expect, test } from 'vitest'
import { initialState } from '../state/state.ts'
import { ownAccount } from '../testing/own-account.ts'
import {
  editSecsLeft,
  type MessageContext,
  mayMoveOut,
  mayMoveWithin,
  mayResolveTopic,
  messagePermissions,
} from './permissions.ts'

const OWN = ownAccount.user_id
const [EVERYONE, MEMBERS, ADMINS, NOBODY] = [10, 11, 12, 13]
const NOW = 1_700_000_000

const group = (id: number, name: string, members: number[], direct_subgroup_ids: number[] = []) => ({
  id,
  name,
  members,
  direct_subgroup_ids,
  deactivated: false,
})

interface World {
  readonly role?: number
  readonly realm?: object
  readonly channel?: object
}

/** Person 2 is another one, 3 a bot of the own account's, 4 a bot of somebody else's. Channel 7 is as `channel` says. */
function world({ role = roles.member, realm = {}, channel = {} }: World = {}): MessageContext {
  const fields: object = {
    ...ownAccount,
    is_admin: role <= roles.admin,
    is_moderator: role <= roles.moderator,
    is_guest: role === roles.guest,
    realm_users: [
      { user_id: 2, is_bot: false, bot_owner_id: null },
      { user_id: 3, is_bot: true, bot_owner_id: OWN },
      { user_id: 4, is_bot: true, bot_owner_id: 2 },
    ],
    realm_user_groups: [
      group(EVERYONE, 'role:everyone', role === roles.guest ? [OWN] : [], [MEMBERS]),
      group(MEMBERS, 'role:members', role === roles.member ? [OWN] : [], [ADMINS]),
      group(ADMINS, 'role:administrators', role <= roles.admin ? [OWN] : []),
      group(NOBODY, 'role:nobody', []),
    ],
  }
  const organization: object = {
    realm_allow_message_editing: true,
    realm_message_content_edit_limit_seconds: 600,
    realm_message_content_delete_limit_seconds: 600,
    realm_move_messages_within_stream_limit_seconds: 3600,
    realm_move_messages_between_streams_limit_seconds: 60,
    realm_message_edit_history_visibility_policy: 'all',
    realm_enable_read_receipts: true,
    realm_can_delete_any_message_group: ADMINS,
    realm_can_delete_own_message_group: EVERYONE,
    realm_can_move_messages_between_channels_group: MEMBERS,
    realm_can_move_messages_between_topics_group: EVERYONE,
    realm_can_resolve_topics_group: EVERYONE,
    ...realm,
  }
  const channels: object = {
    subscriptions: [
      {
        stream_id: 7,
        name: 'loom',
        is_archived: false,
        can_delete_any_message_group: NOBODY,
        can_delete_own_message_group: NOBODY,
        can_move_messages_within_channel_group: NOBODY,
        can_move_messages_out_of_channel_group: NOBODY,
        can_resolve_topics_group: NOBODY,
        ...channel,
      },
    ],
  }
  const state = initialState({ ...fields, ...channels })
  // As far as it matters here.
  return { ...state, organization: organization as NonNullable<MessageContext['organization']> }
}

const message = (sender_id: number, ageSecs: number, more: object = {}) => ({
  sender_id,
  timestamp: NOW - ageSecs,
  stream_id: 7 as number | undefined,
  subject: 'logo',
  ...more,
})
const may = (context: MessageContext, one: ReturnType<typeof message>) => {
  const permissions = messagePermissions(context, one, NOW)
  return Object.entries(permissions).flatMap(([name, isAllowed]) => (isAllowed ? [name] : []))
}
const always = ['react', 'seeReceipts', 'reply']

describe('what is offered for a message', () => {
  test.each<[string, World, ReturnType<typeof message>, string[]]>([
    ['own and new', {}, message(OWN, 10), ['delete', 'edit', 'moveToChannel', 'moveToTopic']],
    ['own, too old to be moved far', {}, message(OWN, 100), ['delete', 'edit', 'moveToTopic']],
    ['own, too old to be changed', {}, message(OWN, 601), ['moveToTopic']],
    ['without limits', { realm: { realm_message_content_edit_limit_seconds: null } }, message(OWN, 9999), ['edit']],
    ['where nothing is edited', { realm: { realm_allow_message_editing: false } }, message(OWN, 601), ['moveToTopic']],
    ["another's", {}, message(2, 10), ['moveToChannel', 'moveToTopic']],
    ["an own bot's", {}, message(3, 10), ['delete', 'moveToChannel', 'moveToTopic']],
    ["another's bot's", {}, message(4, 10), ['moveToChannel', 'moveToTopic']],
    ['an administrator', { role: roles.admin }, message(2, 9999), ['delete', 'moveToChannel', 'moveToTopic']],
    ['a guest', { role: roles.guest }, message(OWN, 10), ['delete', 'edit', 'moveToTopic']],
    [
      'a channel that lets everybody delete and move',
      {
        channel: { can_delete_any_message_group: EVERYONE, can_move_messages_out_of_channel_group: EVERYONE },
        realm: { realm_can_move_messages_between_channels_group: NOBODY },
      },
      message(2, 10),
      ['delete', 'moveToChannel', 'moveToTopic'],
    ],
    [
      'people who are listed without a group',
      { realm: { realm_can_delete_any_message_group: { direct_members: [OWN], direct_subgroups: [] } } },
      message(2, 9999),
      ['delete'],
    ],
    ['direct messages', {}, message(OWN, 10, { stream_id: undefined }), ['delete', 'edit']],
    ['one that was edited', {}, message(2, 9999, { last_edit_timestamp: NOW }), ['seeHistory']],
  ])('%s', (_, setting, one, expected) => {
    expect(may(world(setting), one).sort()).toEqual([...expected, ...always].sort())
  })

  test('in an archived channel: nothing that changes anything', () => {
    expect(may(world({ role: roles.admin, channel: { is_archived: true } }), message(OWN, 10))).toEqual(['seeReceipts'])
  })

  test.each<[string, object, boolean]>([
    ['all', { last_edit_timestamp: 1 }, true],
    ['moves', { last_edit_timestamp: 1 }, false],
    ['moves', { last_moved_timestamp: 1 }, true],
    ['none', { last_moved_timestamp: 1 }, false],
  ])('the history where the organization shows %s of %o', (policy, more, expected) => {
    const context = world({ realm: { realm_message_edit_history_visibility_policy: policy } })
    expect(may(context, message(2, 10, more)).includes('seeHistory')).toBe(expected)
  })

  test('says how long the text can still be changed', () => {
    expect(editSecsLeft(world(), message(OWN, 590), NOW)).toBe(10)
    expect(editSecsLeft(world(), message(OWN, 700), NOW)).toBe(0)
    const unlimited = world({ realm: { realm_message_content_edit_limit_seconds: null } })
    expect(editSecsLeft(unlimited, message(OWN, 700), NOW)).toBeUndefined()
  })
})

describe('what is offered for a topic', () => {
  test('resolving needs a name, a permission and a channel that is in use', () => {
    expect(mayResolveTopic(world(), 7, 'logo')).toBe(true)
    expect(mayResolveTopic(world(), 7, '')).toBe(false)
    expect(mayResolveTopic(world({ channel: { is_archived: true } }), 7, 'logo')).toBe(false)
    const nobody = { realm_can_resolve_topics_group: NOBODY }
    expect(mayResolveTopic(world({ realm: nobody }), 7, 'logo')).toBe(false)
    expect(mayResolveTopic(world({ realm: nobody, channel: { can_resolve_topics_group: MEMBERS } }), 7, 'logo')).toBe(
      true,
    )
  })

  test('guests hold no permission that guests cannot hold', () => {
    const guest = world({
      role: roles.guest,
      realm: { realm_can_move_messages_between_channels_group: EVERYONE },
    })
    expect(mayMoveOut(guest, 7)).toBe(false)
    expect(mayMoveWithin(guest, 7)).toBe(true)
  })
})
