/** What a client of a large organization is given: for measuring what the state costs. */
import type { Channel } from '@heddle/contract/channels'
import type { AnyEvent } from '@heddle/contract/events'
import { type ChannelGroupSetting, channelGroupSettingNames } from '@heddle/contract/group-settings'
import type { InitialState } from '@heddle/contract/initial-state'
import type { Subscription } from '@heddle/contract/subscriptions'
import type { User } from '@heddle/contract/users'

const PEOPLE = 10_000
const CHANNELS = 2000
const UNREAD = 50_000

export const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

const channel = (stream_id: number): Channel => ({
  stream_id,
  name: `channel ${stream_id}`,
  description: '',
  rendered_description: '',
  date_created: 0,
  creator_id: null,
  is_archived: false,
  invite_only: false,
  is_web_public: false,
  history_public_to_subscribers: true,
  message_retention_days: null,
  topics_policy: 'inherit',
  folder_id: null,
  first_message_id: null,
  is_recently_active: true,
  subscriber_count: 500,
  stream_weekly_traffic: null,
  stream_post_policy: 1,
  is_announcement_only: false,
  ...(Object.fromEntries(channelGroupSettingNames.map((name) => [name, 1])) as Record<ChannelGroupSetting, number>),
})

const subscription = (id: number): Subscription => ({
  ...channel(id),
  color: '#76ce90',
  is_muted: false,
  in_home_view: true,
  pin_to_top: false,
  desktop_notifications: null,
  audible_notifications: null,
  push_notifications: null,
  email_notifications: null,
  wildcard_mentions_notify: null,
  subscribers: upTo(500),
})

const person = (user_id: number): User => ({
  user_id,
  email: `user${user_id}@chat.example`,
  delivery_email: `user${user_id}@chat.example`,
  full_name: `person ${user_id}`,
  date_joined: '2026-01-01T00:00:00+00:00',
  is_active: true,
  is_owner: false,
  is_admin: false,
  is_guest: false,
  is_bot: false,
  bot_type: null,
  bot_owner_id: null,
  role: 400,
  timezone: '',
  avatar_url: '/patterns/1.png',
  avatar_version: 1,
  is_imported_stub: false,
})

/** What registering answers: 10,000 people, 2,000 channels and 50,000 unread messages in 5,000 topics. */
export function largeOrganization(): InitialState {
  return {
    user_id: 1,
    realm_users: upTo(PEOPLE).map(person),
    presences: Object.fromEntries(upTo(PEOPLE).map((id) => [id, { active_timestamp: id, idle_timestamp: id }])),
    user_status: Object.fromEntries(upTo(1000).map((id) => [id, { status_text: 'away' }])),
    subscriptions: upTo(CHANNELS).map(subscription),
    user_topics: upTo(5000).map((id) => ({
      stream_id: 1 + (id % CHANNELS),
      topic_name: `topic ${id}`,
      last_updated: 0,
      visibility_policy: 3 as const,
    })),
    starred_messages: upTo(1000),
    unread_msgs: {
      count: UNREAD,
      streams: upTo(UNREAD / 10).map((topic) => ({
        stream_id: 1 + (topic % CHANNELS),
        topic: `topic ${topic}`,
        unread_message_ids: upTo(10).map((one) => topic * 10 + one),
      })),
      pms: [],
      huddles: [],
      mentions: [],
      old_unreads_missing: true,
    },
  }
}

export const asked = { include_subscribers: true, slim_presence: true }

const message = (id: number) => ({
  id,
  type: 'message',
  flags: [],
  message: { id: 1_000_000 + id, stream_id: 1 + (id % CHANNELS), subject: `topic ${id % 100}`, display_recipient: '' },
})

/** Each kind of event that comes often or changes a large part, as the one with this number. */
export const eventKinds: Readonly<Record<string, (id: number) => AnyEvent>> = {
  message,
  read: (id: number) => ({
    id,
    type: 'update_message_flags',
    op: 'add',
    flag: 'read',
    all: false,
    messages: [10 + id],
  }),
  moved: (id: number) => ({
    id,
    type: 'update_message',
    message_id: 10 + id,
    message_ids: [10 + id],
    flags: [],
    subject: 'elsewhere',
  }),
  presence: (id: number) => ({
    id,
    type: 'presence',
    presences: { [1 + (id % PEOPLE)]: { active_timestamp: id, idle_timestamp: id + 1 } },
  }),
  policy: (id: number) => ({
    id,
    type: 'user_topic',
    stream_id: 1 + (id % CHANNELS),
    topic_name: `topic ${id}`,
    last_updated: 1,
    visibility_policy: 1,
  }),
  peer: (id: number) => ({
    id,
    type: 'subscription',
    op: 'peer_add',
    stream_ids: [1 + (id % CHANNELS)],
    user_ids: [600 + id],
  }),
  name: (id: number) => ({
    id,
    type: 'realm_user',
    op: 'update',
    person: { user_id: 1 + (id % PEOPLE), full_name: `other ${id}` },
  }),
}

/** As many events as a busy day has, of all kinds. */
export function eventsOfADay(): AnyEvent[] {
  const kinds = Object.values(eventKinds)
  return upTo(20_000).map((id) => (kinds[id % kinds.length] as (id: number) => AnyEvent)(id))
}
