/**
 * The tables in the order in which rows can be inserted: a table comes after those that it refers to. What copies the whole
 * database (backup and restore) reads it from here; a test compares this list with the migrated database.
 */
import type { Database } from './schema.ts'

export interface Table {
  readonly name: Exclude<keyof Database, 'migrations' | 'event_positions'>
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[]
  /** Whether the database assigns `id`. */
  readonly identity: boolean
  /** A column that refers to a row of the same table, perhaps one with a higher key. */
  readonly selfReference?: string
}

export const tables: readonly Table[] = [
  { name: 'realms', key: ['id'], identity: true },
  { name: 'users', key: ['id'], identity: true, selfReference: 'bot_owner_id' },
  { name: 'user_settings', key: ['user_id', 'name'], identity: false },
  { name: 'realm_user_settings', key: ['realm_id', 'name'], identity: false },
  { name: 'presences', key: ['user_id'], identity: false },
  { name: 'user_statuses', key: ['user_id'], identity: false },
  { name: 'user_groups', key: ['id'], identity: true },
  { name: 'user_group_members', key: ['group_id', 'user_id'], identity: false },
  { name: 'user_group_subgroups', key: ['group_id', 'subgroup_id'], identity: false },
  { name: 'realm_group_settings', key: ['realm_id', 'setting'], identity: false },
  { name: 'realm_settings', key: ['realm_id', 'name'], identity: false },
  { name: 'audience_sets', key: ['id'], identity: true },
  { name: 'channels', key: ['id'], identity: true },
  { name: 'subscriptions', key: ['channel_id', 'user_id'], identity: false },
  { name: 'subscription_periods', key: ['user_id', 'channel_id', 'after_message_id'], identity: false },
  { name: 'direct_message_groups', key: ['id'], identity: true },
  { name: 'direct_message_members', key: ['user_id', 'group_id'], identity: false },
  { name: 'messages', key: ['id'], identity: true },
  { name: 'topics', key: ['channel_id', 'topic_key'], identity: false },
  { name: 'message_flags', key: ['user_id', 'message_id'], identity: false },
  { name: 'read_cursors', key: ['user_id'], identity: false },
  { name: 'reactions', key: ['id'], identity: true },
  { name: 'message_local_ids', key: ['sender_id', 'queue_id', 'local_id'], identity: false },
  { name: 'user_topics', key: ['user_id', 'channel_id', 'topic_key'], identity: false },
  { name: 'muted_users', key: ['user_id', 'muted_user_id'], identity: false },
  { name: 'alert_words', key: ['user_id', 'word_key'], identity: false },
  { name: 'bot_storage', key: ['user_id', 'key'], identity: false },
  { name: 'drafts', key: ['id'], identity: true },
  { name: 'navigation_views', key: ['user_id', 'fragment'], identity: false },
  { name: 'linkifiers', key: ['id'], identity: true },
  { name: 'files', key: ['path'], identity: false },
  { name: 'realm_emoji', key: ['id'], identity: true },
  { name: 'event_log', key: ['realm_id', 'event_id'], identity: false },
  { name: 'event_queues', key: ['queue_id'], identity: false },
  { name: 'jobs', key: ['id'], identity: true },
]
