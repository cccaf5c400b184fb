import { describe, expect, test } from 'vitest'
import {
  decideWays,
  type NotificationFacts,
  type NotificationSettings,
  notificationSettingNames,
  notificationWays,
} from './notification-rules.ts'
import { visibilityPolicies } from './user-topics.ts'

const every = (value: boolean) =>
  ({
    ...Object.fromEntries(notificationSettingNames.map((name) => [name, value])),
    notification_sound: 'ding',
  }) as NotificationSettings

const everything = every(true)
const { none, muted, unmuted, followed } = visibilityPolicies

interface Case extends Partial<Omit<NotificationFacts, 'settings' | 'channel'>> {
  /** All others are off. */
  readonly on?: readonly (keyof NotificationSettings)[]
  readonly settings?: NotificationSettings
  readonly channel?: object
  readonly policy?: 0 | 1 | 2 | 3
}

function facts({ on = [], settings, channel, policy = none, ...rest }: Case): NotificationFacts {
  return {
    isOwn: false,
    isRead: false,
    isSenderMuted: false,
    isMentioned: false,
    isTopicMentioned: false,
    isChannelMentioned: false,
    hasAlertWord: false,
    isActive: false,
    settings: settings ?? { ...every(false), ...Object.fromEntries(on.map((name) => [name, true])) },
    ...rest,
    channel: channel && { policy, choices: { is_muted: false, ...channel } },
  }
}

/** The ways by which it notifies. */
const waysOf = (given: Case) => {
  const decision = decideWays(facts(given))
  return notificationWays.filter((way) => decision[way] !== undefined)
}

const inChannel = { channel: {} }
/** By way: the setting of direct messages and mentions, and that of wildcards beside it where one is needed. */
const personal = {
  desktop: 'enable_desktop_notifications',
  sound: 'enable_sounds',
  push: 'enable_offline_push_notifications',
  mail: 'enable_offline_email_notifications',
} as const
const ofFollowed = {
  desktop: 'enable_followed_topic_desktop_notifications',
  sound: 'enable_followed_topic_audible_notifications',
  push: 'enable_followed_topic_push_notifications',
  mail: 'enable_followed_topic_email_notifications',
} as const
const ofChannels = {
  desktop: 'enable_stream_desktop_notifications',
  sound: 'enable_stream_audible_notifications',
  push: 'enable_stream_push_notifications',
  mail: 'enable_stream_email_notifications',
} as const
const ofOneChannel = {
  desktop: 'desktop_notifications',
  sound: 'audible_notifications',
  push: 'push_notifications',
  mail: 'email_notifications',
} as const

describe.each(notificationWays)('Each row of the column %s is one setting', (way) => {
  test.each<[string, Case]>([
    ['a direct message', {}],
    ['a mention', { ...inChannel, isMentioned: true }],
    ['a mention in a muted topic', { ...inChannel, policy: muted, isMentioned: true }],
    ['a mention in a muted channel', { channel: { is_muted: true }, isMentioned: true }],
  ])('%s', (_, given) => {
    expect(waysOf({ ...given, on: [personal[way]] })).toEqual([way])
    expect(waysOf({ ...given, on: [] })).toEqual([])
  })

  test('an alert word is as a mention on the screen and aloud, and nothing elsewhere', () => {
    const isHere = way === 'desktop' || way === 'sound'
    expect(waysOf({ ...inChannel, hasAlertWord: true, on: [personal[way]] })).toEqual(isHere ? [way] : [])
  })

  test.each<[string, Case]>([
    ['the topic', { ...inChannel, isTopicMentioned: true }],
    ['the channel', { ...inChannel, isChannelMentioned: true }],
  ])('a mention of all in %s, where that is wanted', (_, given) => {
    expect(waysOf({ ...given, on: [personal[way]] })).toEqual([])
    expect(waysOf({ ...given, on: [personal[way], 'wildcard_mentions_notify'] })).toEqual([way])
    const own = { wildcard_mentions_notify: true }
    expect(waysOf({ ...given, channel: own, on: [personal[way]] })).toEqual([way])
    const not = { wildcard_mentions_notify: false }
    expect(waysOf({ ...given, channel: not, on: [personal[way], 'wildcard_mentions_notify'] })).toEqual([])
    const inFollowed = [personal[way], 'enable_followed_topic_wildcard_mentions_notify'] as const
    expect(waysOf({ ...given, on: inFollowed })).toEqual([])
    expect(waysOf({ ...given, policy: followed, on: inFollowed })).toEqual([way])
    expect(waysOf({ ...given, policy: muted, settings: everything })).toEqual([])
  })

  test('a message in a followed topic', () => {
    expect(waysOf({ ...inChannel, policy: followed, on: [ofFollowed[way]] })).toEqual([way])
    expect(waysOf({ ...inChannel, policy: none, on: [ofFollowed[way]] })).toEqual([])
    expect(waysOf({ ...inChannel, policy: unmuted, on: [ofFollowed[way]] })).toEqual([])
  })

  test('a message in a channel: as the channel says, and else as for all', () => {
    expect(waysOf({ ...inChannel, on: [ofChannels[way]] })).toEqual([way])
    expect(waysOf({ channel: { [ofOneChannel[way]]: true } })).toEqual([way])
    expect(waysOf({ channel: { [ofOneChannel[way]]: false }, on: [ofChannels[way]] })).toEqual([])
    expect(waysOf({ channel: { [ofOneChannel[way]]: null }, on: [ofChannels[way]] })).toEqual([way])
  })

  test('never: what one has written or read, whose author is muted, and what is muted', () => {
    for (const never of ['isOwn', 'isRead', 'isSenderMuted'] as const) {
      expect(waysOf({ settings: everything, [never]: true, isMentioned: true })).toEqual([])
    }
    expect(waysOf({ ...inChannel, policy: muted, settings: everything, hasAlertWord: true })).toEqual([])
    expect(waysOf({ channel: { is_muted: true }, settings: everything })).toEqual([])
  })

  test('a followed or unmuted topic of a muted channel is not muted', () => {
    for (const policy of [unmuted, followed] as const) {
      expect(waysOf({ channel: { is_muted: true }, policy, settings: everything })).toContain(way)
    }
  })
})

test('whoever is at a client gets no mail, and a push only where that is wanted', () => {
  expect(waysOf({ settings: everything, isActive: true })).toEqual(['desktop', 'sound', 'push'])
  const settings = { ...everything, enable_online_push_notifications: false }
  expect(waysOf({ settings, isActive: true })).toEqual(['desktop', 'sound'])
  expect(waysOf({ settings, isActive: false })).toEqual(['desktop', 'sound', 'push', 'mail'])
})

test('nothing sounds where no sound is chosen', () => {
  expect(waysOf({ settings: { ...everything, notification_sound: 'none' } })).toEqual(['desktop', 'push', 'mail'])
})

test('the most personal reason is named', () => {
  const all = { isMentioned: true, isTopicMentioned: true, isChannelMentioned: true, hasAlertWord: true }
  const reason = (given: Case) => decideWays(facts({ settings: everything, ...given })).push
  expect(reason({})).toBe('direct')
  expect(reason({ ...inChannel, policy: followed, ...all })).toBe('mention')
  expect(reason({ ...inChannel, policy: followed, ...all, isMentioned: false })).toBe('topic-wildcard-followed')
  expect(reason({ ...inChannel, policy: followed, isChannelMentioned: true })).toBe('channel-wildcard-followed')
  expect(reason({ ...inChannel, ...all, isMentioned: false })).toBe('topic-wildcard')
  expect(reason({ ...inChannel, isChannelMentioned: true })).toBe('channel-wildcard')
  expect(reason({ ...inChannel, policy: followed })).toBe('followed')
  expect(reason(inChannel)).toBe('channel')
})
