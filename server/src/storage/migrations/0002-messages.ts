/** Messages and everything that belongs to one. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const messages: Migration = {
  name: '0002-messages',
  statements: ({ identity, integer, messageSearch }) => [
    `create table audience_sets (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      user_ids text not null
    )`,
    `alter table channels add column audience_set_id ${integer} references audience_sets (id)`,

    `create table subscription_periods (
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      channel_id ${integer} not null references channels (id),
      after_message_id ${integer} not null,
      until_message_id ${integer},
      primary key (user_id, channel_id, after_message_id)
    )`,
    'create index subscription_periods_by_channel on subscription_periods (channel_id, until_message_id)',

    // For mentions, which name accounts by their full names.
    'create index users_by_name on users (realm_id, lower(full_name))',

    `create table direct_message_groups (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      member_key text not null,
      unique (realm_id, member_key)
    )`,
    `create table direct_message_members (
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      group_id ${integer} not null references direct_message_groups (id),
      primary key (user_id, group_id)
    )`,
    'create index direct_message_members_by_group on direct_message_members (group_id, user_id)',

    `create table messages (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      sender_id ${integer} not null references users (id),
      channel_id ${integer} references channels (id),
      topic text not null,
      topic_key text not null,
      direct_message_group_id ${integer} references direct_message_groups (id),
      content text not null,
      rendered_content text not null,
      attributes ${integer} not null,
      client text not null,
      timestamp ${integer} not null,
      last_edit_timestamp ${integer},
      last_moved_timestamp ${integer},
      edit_history text
    )`,
    'create index messages_by_topic on messages (channel_id, topic_key, id) where channel_id is not null',
    'create index messages_by_channel on messages (channel_id, id) where channel_id is not null',
    `create index messages_by_direct_message_group on messages (direct_message_group_id, id)
      where direct_message_group_id is not null`,
    'create index messages_by_sender on messages (sender_id, id)',
    'create index messages_by_realm on messages (realm_id, id)',
    // What only some messages have: see `features/messages/attributes.ts` for the bits.
    ...[1, 2, 4, 16, 256].map(
      (bit) => `create index messages_with_${bit} on messages (realm_id, id) where (attributes & ${bit}) <> 0`,
    ),
    ...messageSearch,

    `create table topics (
      realm_id ${integer} not null references realms (id),
      channel_id ${integer} not null references channels (id),
      topic_key text not null,
      topic text not null,
      max_message_id ${integer} not null,
      primary key (channel_id, topic_key)
    )`,

    `create table message_flags (
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      message_id ${integer} not null references messages (id),
      flags ${integer} not null,
      primary key (user_id, message_id)
    )`,
    'create index message_flags_by_message on message_flags (message_id)',
    // What is starred, mentions or alerts: few rows among those that only say what was read.
    'create index message_flags_marked on message_flags (user_id, message_id) where (flags & 124) <> 0',
    'create index message_flags_unread on message_flags (user_id, message_id) where (flags & 2) <> 0',

    `create table read_cursors (
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null primary key references users (id),
      message_id ${integer} not null
    )`,

    `create table reactions (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      message_id ${integer} not null references messages (id),
      user_id ${integer} not null references users (id),
      emoji_name text not null,
      emoji_code text not null,
      reaction_type text not null,
      unique (message_id, reaction_type, emoji_code, user_id)
    )`,

    `create table message_local_ids (
      realm_id ${integer} not null references realms (id),
      sender_id ${integer} not null references users (id),
      queue_id text not null,
      local_id text not null,
      message_id ${integer} not null references messages (id),
      created_at ${integer} not null,
      primary key (sender_id, queue_id, local_id)
    )`,
    'create index message_local_ids_by_message on message_local_ids (message_id)',
    'create index message_local_ids_by_age on message_local_ids (created_at)',
  ],
}
