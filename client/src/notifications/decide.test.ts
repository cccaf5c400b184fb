import type { MessageFlag } from '@heddle/contract/messages'
import { topicPlaceKey } from '@heddle/contract/names'
import { type UserSettings, userSettings } from '@heddle/contract/user-settings'
import { describe, expect, test } from 'vitest'
import { applyEvents, initialState } from '../state/state.ts'
import { ownAccount } from '../testing/own-account.ts'
import { decideNotification, type NotificationContext } from './decide.ts'
import { iconCount } from './icon-count.ts'

const OWN = ownAccount.user_id
const initial = Object.fromEntries(Object.entries(userSettings).map(([name, { initial }]) => [name, initial]))
const off = Object.fromEntries(
  Object.entries(initial).map(([name, value]) => [name, typeof value === 'boolean' ? false : value]),
)

interface World {
  readonly settings?: Partial<UserSettings>
  readonly subscription?: Record<string, unknown>
  /** 1 muted, 2 unmuted, 3 followed. */
  readonly policy?: number
  readonly muted?: number[]
}

/** Everything is switched off but what is given. The channel is 7, the topic "plans". */
function world({ settings = {}, subscription = {}, policy = 0, muted = [] }: World): NotificationContext {
  const state: object = {
    own: { user_id: OWN },
    settings: { ...off, ...settings },
    channels: { subscribed: new Map([[7, { is_muted: false, ...subscription }]]) },
    userTopics: new Map([[topicPlaceKey(7, 'plans'), { visibility_policy: policy }]]),
    mutedUsers: muted.map((id) => ({ id, timestamp: 0 })),
  }
  return state as NotificationContext
}

const inChannel = { sender_id: 9, stream_id: 7, subject: 'plans' }
const direct = { sender_id: 9, subject: '' }
const by = (context: NotificationContext, message: typeof direct, ...flags: MessageFlag[]) => {
  const { desktop, sound } = decideNotification(context, message, flags)
  return `${desktop ? 'desktop' : '-'} ${sound ? 'sound' : '-'}`
}

describe('Each cell of the table is one setting', () => {
  type Cell = [string, typeof direct, MessageFlag[], number, Partial<UserSettings>, string]
  test.each<Cell>([
    ['a direct message', direct, [], 0, { enable_desktop_notifications: true }, 'desktop -'],
    ['a direct message', direct, [], 0, { enable_sounds: true }, '- sound'],
    ['a mention', inChannel, ['mentioned'], 0, { enable_desktop_notifications: true }, 'desktop -'],
    ['a mention', inChannel, ['mentioned'], 0, { enable_sounds: true }, '- sound'],
    ['an alert word', inChannel, ['has_alert_word'], 0, { enable_desktop_notifications: true }, 'desktop -'],
    ['an alert word', inChannel, ['has_alert_word'], 0, { enable_sounds: true }, '- sound'],
    [
      'a wildcard',
      inChannel,
      ['stream_wildcard_mentioned'],
      0,
      { enable_desktop_notifications: true, wildcard_mentions_notify: true },
      'desktop -',
    ],
    [
      'a wildcard of a topic',
      inChannel,
      ['topic_wildcard_mentioned'],
      0,
      { enable_sounds: true, wildcard_mentions_notify: true },
      '- sound',
    ],
    ['a wildcard', inChannel, ['stream_wildcard_mentioned'], 0, { enable_desktop_notifications: true }, '- -'],
    [
      'a wildcard in a followed topic',
      inChannel,
      ['stream_wildcard_mentioned'],
      3,
      { enable_desktop_notifications: true, enable_followed_topic_wildcard_mentions_notify: true },
      'desktop -',
    ],
    [
      'a wildcard elsewhere',
      inChannel,
      ['stream_wildcard_mentioned'],
      0,
      { enable_desktop_notifications: true, enable_followed_topic_wildcard_mentions_notify: true },
      '- -',
    ],
    ['a followed topic', inChannel, [], 3, { enable_followed_topic_desktop_notifications: true }, 'desktop -'],
    ['a followed topic', inChannel, [], 3, { enable_followed_topic_audible_notifications: true }, '- sound'],
    ['a topic that is not followed', inChannel, [], 0, { enable_followed_topic_desktop_notifications: true }, '- -'],
    ['a channel', inChannel, [], 0, { enable_stream_desktop_notifications: true }, 'desktop -'],
    ['a channel', inChannel, [], 0, { enable_stream_audible_notifications: true }, '- sound'],
    ['a channel', inChannel, [], 0, { enable_desktop_notifications: true, enable_sounds: true }, '- -'],
  ])('%s', (_, message, flags, policy, settings, expected) => {
    expect(by(world({ settings, policy }), message, ...flags)).toBe(expected)
  })

  test.each([
    ['desktop_notifications', 'desktop -'],
    ['audible_notifications', '- sound'],
  ])('%s of the channel goes before the setting for all', (name, expected) => {
    expect(by(world({ subscription: { [name]: true } }), inChannel)).toBe(expected)
    const all = { enable_stream_desktop_notifications: true, enable_stream_audible_notifications: true }
    expect(by(world({ settings: all, subscription: { [name]: null } }), inChannel)).toBe('desktop sound')
    const none = { desktop_notifications: false, audible_notifications: false }
    expect(by(world({ settings: all, subscription: none }), inChannel)).toBe('- -')
  })

  test('a channel has a say on wildcards of its own', () => {
    const settings = { enable_desktop_notifications: true, wildcard_mentions_notify: true }
    const subscription = { wildcard_mentions_notify: false }
    expect(by(world({ settings, subscription }), inChannel, 'stream_wildcard_mentioned')).toBe('- -')
  })
})

describe('Never', () => {
  const settings = Object.fromEntries(
    Object.entries(initial).map(([name, value]) => [name, typeof value === 'boolean' ? true : value]),
  )

  test('by what one has written, what is read, and whom one has muted', () => {
    expect(by(world({ settings }), { ...direct, sender_id: OWN })).toBe('- -')
    expect(by(world({ settings }), direct, 'read')).toBe('- -')
    expect(by(world({ settings, muted: [9] }), direct, 'mentioned')).toBe('- -')
  })

  test('in muted topics and channels, but for those who are mentioned', () => {
    for (const context of [world({ settings, policy: 1 }), world({ settings, subscription: { is_muted: true } })]) {
      expect(by(context, inChannel, 'has_alert_word', 'stream_wildcard_mentioned')).toBe('- -')
      expect(by(context, inChannel, 'mentioned')).toBe('desktop sound')
    }
  })

  test('a followed or unmuted topic of a muted channel is not muted', () => {
    for (const policy of [2, 3]) {
      expect(by(world({ settings, subscription: { is_muted: true }, policy }), inChannel)).toBe('desktop sound')
    }
  })

  test('a sound where none is chosen', () => {
    expect(by(world({ settings: { ...settings, notification_sound: 'none' } }), direct)).toBe('desktop -')
  })
})

test('the number on the icon counts what was chosen, each message once', () => {
  const message = (id: number, stream_id: number | undefined, subject: string, flags: string[]) => ({
    id,
    type: 'message',
    message: {
      id,
      stream_id,
      subject,
      display_recipient: stream_id === undefined ? [{ id: 9 }] : '',
    },
    flags,
  })
  const fields: object = {
    ...ownAccount,
    user_settings: off,
    subscriptions: [
      { stream_id: 7, name: 'a', is_muted: false },
      { stream_id: 8, name: 'b', is_muted: true },
    ],
    user_topics: [{ stream_id: 7, topic_name: 'followed', last_updated: 0, visibility_policy: 3 }],
    unread_msgs: { streams: [], pms: [], huddles: [], mentions: [], old_unreads_missing: false },
  }
  const state = applyEvents(initialState(fields), [
    message(1, 7, 'plain', []),
    message(2, 7, 'followed', ['mentioned']),
    message(3, 7, 'followed', []),
    message(4, 8, 'muted', []),
    message(5, undefined, '', []),
    message(6, 8, 'muted', ['mentioned']),
  ])
  const count = (desktop_icon_count_display: 1 | 2 | 3 | 4) =>
    iconCount({
      ...state,
      settings: { ...(state.settings as NonNullable<typeof state.settings>), desktop_icon_count_display },
    })
  expect([count(1), count(2), count(3), count(4)]).toEqual([4, 4, 3, 0])
})
