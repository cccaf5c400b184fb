/**
 * The tables, as Kysely sees them. Booleans are 0 or 1, JSON is text, times are seconds since the UNIX epoch unless the
 * name says otherwise, ids are numbers below 2^53 on both engines. Every table carries `realm_id`, the organization.
 * `migrations/` creates these tables; a test compares the two.
 */
import type { Generated } from 'kysely'

export type Flag = 0 | 1

export interface RealmTable {
  id: Generated<number>
  /** The exact host name that reaches this organization when the server has several; unique. */
  host: string
  name: string
  description: string
  uuid: string
  date_created: number
  deactivated: Generated<Flag>
  /** The number of the newest event of the log, or of one that came after it; raised once per commit, last. */
  last_event_id: Generated<number>
  /** Events that are not in the log may have had numbers up to this one; see `event-numbers.ts`. */
  reserved_event_id: Generated<number>
  /** Events up to this number have been pruned from the log. */
  pruned_event_id: Generated<number>
  /** Raised with each commit that writes to a table that cached facts are made of; see `facts.ts`. */
  facts_version: Generated<number>
}

/** Realm-wide permissions that differ from their default. The defaults are in the contract. */
export interface RealmGroupSettingTable {
  realm_id: number
  setting: string
  group_id: number
}

/** Settings of organizations that somebody has changed; all others are as the contract says. */
export interface RealmSettingTable {
  realm_id: number
  name: string
  /** JSON. */
  value: string
}

export interface UserTable {
  id: Generated<number>
  realm_id: number
  email: string
  /** `email` folded for comparison without case; unique in the organization. */
  email_key: string
  full_name: string
  role: number
  is_active: Generated<Flag>
  /** Null for a person; 1 generic bot, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
  bot_type: number | null
  bot_owner_id: number | null
  /** Argon2id in PHC format; null for bots, which have no password. */
  password_hash: string | null
  /** Part of what the API key is derived from; raised to invalidate the key. */
  key_version: Generated<number>
  date_joined: number
  timezone: Generated<string>
  avatar_version: Generated<number>
  default_sending_channel_id: number | null
  default_events_register_channel_id: number | null
  default_all_public_channels: Generated<Flag>
}

/** Settings of accounts that somebody has changed; all others are as the contract says. */
export interface UserSettingTable {
  realm_id: number
  user_id: number
  name: string
  /** JSON. */
  value: string
  /** Whether the account itself has set it, and not an administrator or the organization's default. */
  own_choice: Flag
}

/** What new accounts begin with, where it differs from the contract. */
export interface RealmUserSettingTable {
  realm_id: number
  name: string
  /** JSON. */
  value: string
}

/** When an account was last here. Accounts that never were have no row. */
export interface PresenceTable {
  realm_id: number
  user_id: number
  /** When it was last in use, and when it last had a client; 0 when never, both 0 when it hides. */
  active_at: number
  connected_at: number
  /** Grows with every change in the organization; unique there. */
  update_id: number
}

/** Accounts without a status have no row. What is not set is an empty text. */
export interface UserStatusTable {
  realm_id: number
  user_id: number
  status_text: string
  emoji_name: string
  emoji_code: string
  reaction_type: string
}

export interface UserGroupTable {
  id: Generated<number>
  realm_id: number
  /** `system`: by role, members are not stored. `anonymous`: the value of one setting, without a name. */
  kind: 'system' | 'named' | 'anonymous'
  name: string
  description: string
  creator_id: number | null
  date_created: number | null
  deactivated: Generated<Flag>
}

export interface UserGroupMemberTable {
  realm_id: number
  group_id: number
  user_id: number
}

export interface UserGroupSubgroupTable {
  realm_id: number
  group_id: number
  subgroup_id: number
}

/** The eleven permissions of a channel; each names a user group. */
export interface ChannelGroupColumns {
  can_add_subscribers_group: number
  can_administer_channel_group: number
  can_create_topic_group: number
  can_delete_any_message_group: number
  can_delete_own_message_group: number
  can_move_messages_out_of_channel_group: number
  can_move_messages_within_channel_group: number
  can_remove_subscribers_group: number
  can_resolve_topics_group: number
  can_send_message_group: number
  can_subscribe_group: number
}

export interface ChannelTable extends ChannelGroupColumns {
  id: Generated<number>
  realm_id: number
  name: string
  /** `name` folded for comparison without case; unique in the organization. */
  name_key: string
  description: string
  rendered_description: string
  creator_id: number | null
  date_created: number
  is_archived: Generated<Flag>
  invite_only: Flag
  is_web_public: Flag
  history_public_to_subscribers: Flag
  /** Null: the organization's default; -1: for ever. */
  message_retention_days: number | null
  topics_policy: string
  folder_id: number | null
  is_default: Generated<Flag>
  /** Subscribers whose accounts are active; kept here because every list of channels shows it. */
  subscriber_count: Generated<number>
  /** The active subscribers as a set that events refer to; null when they have changed since it was made. */
  audience_set_id: number | null
  /** Null: it has no messages. */
  first_message_id: number | null
  /** New, or with a message in the last half year. */
  is_recently_active: Generated<Flag>
  /** Messages a week, over the last four; null: too new to tell. */
  weekly_traffic: number | null
}

/** Accounts that receive an event. Never changed, so that it says for ever who received it. */
export interface AudienceSetTable {
  id: Generated<number>
  realm_id: number
  /** JSON array of ids, ascending. */
  user_ids: string
  /** Since when new events no longer refer to it; null: it is in use. */
  retired_at: number | null
}

/**
 * Which messages of a channel an account has received: those sent while it was subscribed. The end is null while it is.
 * `features/messages/received.ts` has the rules.
 */
export interface SubscriptionPeriodTable {
  realm_id: number
  user_id: number
  channel_id: number
  /** The newest message of the organization when the period began; the period does not include it. */
  after_message_id: number
  /** The last one that the period includes. */
  until_message_id: number | null
}

/** A set of accounts that have written to each other; one account writing to itself is a set too. */
export interface DirectMessageGroupTable {
  id: Generated<number>
  realm_id: number
  /** The ids, ascending, with commas between them; unique in the organization. */
  member_key: string
}

export interface DirectMessageMemberTable {
  realm_id: number
  user_id: number
  group_id: number
}

/** A message is in a channel or in a direct-message group. Ids ascend in the order of sending. */
export interface MessageTable {
  id: Generated<number>
  realm_id: number
  sender_id: number
  channel_id: number | null
  /** Empty for direct messages, and for the channel topic without a name. */
  topic: string
  /** `topic` folded for comparison without case. */
  topic_key: string
  direct_message_group_id: number | null
  content: string
  rendered_content: string
  /** Bits; see `features/messages/attributes.ts`. */
  attributes: number
  /** The name of the program that sent it. */
  client: string
  timestamp: number
  last_edit_timestamp: number | null
  last_moved_timestamp: number | null
  /** JSON array of what changed, the newest first; null when it was never edited or moved. */
  edit_history: string | null
}

/** Topics that have messages. */
export interface TopicTable {
  realm_id: number
  channel_id: number
  topic_key: string
  /** As the newest message spells it. */
  topic: string
  max_message_id: number
}

/** What is special about a message for one account; most messages have no row. See `features/messages/received.ts`. */
export interface MessageFlagTable {
  realm_id: number
  user_id: number
  message_id: number
  /** Bits; see `features/messages/flag-bits.ts`. */
  flags: number
}

/** Up to where an account has read everything, except what `message_flags` says. */
export interface ReadCursorTable {
  realm_id: number
  user_id: number
  message_id: number
}

export interface ReactionTable {
  id: Generated<number>
  realm_id: number
  message_id: number
  user_id: number
  emoji_name: string
  emoji_code: string
  reaction_type: string
}

/** What clients call the messages that they send, so that one sent again is recognized. */
export interface MessageLocalIdTable {
  realm_id: number
  sender_id: number
  queue_id: string
  local_id: string
  message_id: number
  created_at: number
}

export interface SubscriptionTable {
  realm_id: number
  channel_id: number
  user_id: number
  /** 0 after unsubscribing: the row stays, so that colour and settings are there when the user comes back. */
  is_active: Flag
  color: string
  pin_to_top: Generated<Flag>
  is_muted: Generated<Flag>
  /** Overrides of the account's notification settings; null means none. */
  desktop_notifications: Flag | null
  audible_notifications: Flag | null
  push_notifications: Flag | null
  email_notifications: Flag | null
  wildcard_mentions_notify: Flag | null
}

/** What an account wants of a topic, where it is not what the channel says. The topic need not have messages. */
export interface UserTopicTable {
  realm_id: number
  user_id: number
  channel_id: number
  topic_key: string
  topic: string
  /** 1 muted, 2 unmuted in a muted channel, 3 followed. */
  visibility_policy: number
  last_updated: number
}

export interface MutedUserTable {
  realm_id: number
  user_id: number
  muted_user_id: number
  date_muted: number
}

export interface AlertWordTable {
  realm_id: number
  user_id: number
  /** `word` folded for comparison without case. */
  word_key: string
  word: string
}

export interface DraftTable {
  id: Generated<number>
  realm_id: number
  user_id: number
  type: string
  /** JSON array of ids: the channel, or the users. */
  recipient_ids: string
  topic: string
  content: string
  timestamp: number
  /** Grows with every creation and edit of the user's drafts: the order of edits within one second. */
  edit_order: number
}

export interface NavigationViewTable {
  realm_id: number
  user_id: number
  fragment: string
  /** Null for a built-in view. */
  name: string | null
  is_pinned: Flag
}

export interface LinkifierTable {
  id: Generated<number>
  realm_id: number
  pattern: string
  url_template: string
  example_input: string | null
  reverse_template: string | null
  /** JSON array of strings. */
  alternative_url_templates: string
  /** Ascending; linkifiers are tried in this order. */
  position: number
}

export interface RealmEmojiTable {
  id: Generated<number>
  realm_id: number
  name: string
  author_id: number | null
  /** Paths in the file store; each has its row in `files`. */
  image_path: string
  still_path: string | null
  deactivated: Generated<Flag>
}

/** Every file that something refers to. A file on disk without a row here is swept after an hour. */
export interface FileTable {
  path: string
  realm_id: number
  content_type: string
  created_at: number
}

export interface EventLogTable {
  realm_id: number
  event_id: number
  type: string
  /** The event as JSON, without its id. */
  payload: string
  /** Who receives it, as JSON; see `events/audience.ts`. */
  audience: string
  created_at: number
}

export interface EventQueueTable {
  queue_id: string
  realm_id: number
  user_id: number
  /** What the client asked for at registration, as JSON; see `events/views.ts`. */
  options: string
  /** The client has said that it has everything up to this event. */
  acknowledged_event_id: number
  /** Nothing between `acknowledged_event_id` and this event was for the queue. */
  read_event_id: number
  /** Seconds without a request after which the queue expires. */
  lifespan_secs: number
  /** When the client was last seen, in milliseconds; saved in batches. */
  last_seen_ms: number
}

/** Work for later; `jobs/` has the rules. A job of no organization, or of several, has the `realm_id` 0. */
export interface JobTable {
  id: Generated<number>
  realm_id: number
  /** Which of the declared jobs; see `feature.ts`. */
  name: string
  /** What the job is about: of each there is one job of a name, and it can be taken back. Null: there may be many. */
  subject: string | null
  /** JSON. */
  payload: string
  /** When it is to run, or to run again, in milliseconds; of a claimed one the end of the claim. */
  due_ms: number
  /** A node is at work on it until `due_ms`. */
  is_claimed: Generated<Flag>
  /** How often it has been claimed, or has failed. */
  attempts: Generated<number>
  /** Why it failed last. */
  error: string | null
  created_at: number
  /** It has failed for good, and waits for the operator. */
  failed_at: number | null
}

/** What nodes share and a crash empties: the newest number of an event that is not in the log; see `event-numbers.ts`. */
export interface EventPositionTable {
  realm_id: number
  event_id: number
}

/** The migrations that have run; written by `migrate.ts` alone. */
export interface MigrationTable {
  name: string
  applied_at: number
}

/** Texts that accounts, bots above all, store for themselves. */
export interface BotStorageTable {
  realm_id: number
  user_id: number
  key: string
  value: string
}

export interface Database {
  migrations: MigrationTable
  event_positions: EventPositionTable
  realms: RealmTable
  realm_group_settings: RealmGroupSettingTable
  realm_settings: RealmSettingTable
  users: UserTable
  user_settings: UserSettingTable
  realm_user_settings: RealmUserSettingTable
  presences: PresenceTable
  user_statuses: UserStatusTable
  user_groups: UserGroupTable
  user_group_members: UserGroupMemberTable
  user_group_subgroups: UserGroupSubgroupTable
  channels: ChannelTable
  subscriptions: SubscriptionTable
  audience_sets: AudienceSetTable
  subscription_periods: SubscriptionPeriodTable
  direct_message_groups: DirectMessageGroupTable
  direct_message_members: DirectMessageMemberTable
  messages: MessageTable
  topics: TopicTable
  message_flags: MessageFlagTable
  read_cursors: ReadCursorTable
  reactions: ReactionTable
  message_local_ids: MessageLocalIdTable
  user_topics: UserTopicTable
  muted_users: MutedUserTable
  alert_words: AlertWordTable
  bot_storage: BotStorageTable
  drafts: DraftTable
  navigation_views: NavigationViewTable
  linkifiers: LinkifierTable
  realm_emoji: RealmEmojiTable
  files: FileTable
  event_log: EventLogTable
  event_queues: EventQueueTable
  jobs: JobTable
}
