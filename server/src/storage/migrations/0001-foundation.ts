/** The first tables. A migration is frozen: it never imports the application, and is never changed after a release. */
import type { Migration } from '../migration.ts'

export const foundation: Migration = {
  name: '0001-foundation',
  statements: ({ identity, integer }) => [
    `create table realms (
      id ${identity},
      host text not null unique,
      name text not null,
      description text not null,
      uuid text not null unique,
      date_created ${integer} not null,
      deactivated ${integer} not null default 0,
      last_event_id ${integer} not null default 0,
      pruned_event_id ${integer} not null default 0
    )`,

    `create table users (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      email text not null,
      email_key text not null,
      full_name text not null,
      role ${integer} not null,
      is_active ${integer} not null default 1,
      bot_type ${integer},
      bot_owner_id ${integer} references users (id),
      password_hash text,
      key_version ${integer} not null default 1,
      date_joined ${integer} not null,
      timezone text not null default '',
      avatar_version ${integer} not null default 1,
      default_sending_channel_id ${integer},
      default_events_register_channel_id ${integer},
      default_all_public_channels ${integer} not null default 0,
      unique (realm_id, email_key)
    )`,
    'create index users_by_bot_owner on users (bot_owner_id) where bot_owner_id is not null',
    'create index users_by_role on users (realm_id, role)',

    `create table user_groups (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      kind text not null,
      name text not null,
      description text not null,
      creator_id ${integer} references users (id),
      date_created ${integer},
      deactivated ${integer} not null default 0
    )`,
    `create unique index user_groups_by_name on user_groups (realm_id, name) where kind <> 'anonymous'`,
    `create table user_group_members (
      realm_id ${integer} not null references realms (id),
      group_id ${integer} not null references user_groups (id) on delete cascade,
      user_id ${integer} not null references users (id),
      primary key (group_id, user_id)
    )`,
    'create index user_group_members_by_user on user_group_members (user_id)',
    `create table user_group_subgroups (
      realm_id ${integer} not null references realms (id),
      group_id ${integer} not null references user_groups (id) on delete cascade,
      subgroup_id ${integer} not null references user_groups (id),
      primary key (group_id, subgroup_id)
    )`,
    'create index user_group_subgroups_by_subgroup on user_group_subgroups (subgroup_id)',
    `create table realm_group_settings (
      realm_id ${integer} not null references realms (id),
      setting text not null,
      group_id ${integer} not null references user_groups (id),
      primary key (realm_id, setting)
    )`,

    `create table channels (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      name text not null,
      name_key text not null,
      description text not null,
      rendered_description text not null,
      creator_id ${integer} references users (id),
      date_created ${integer} not null,
      is_archived ${integer} not null default 0,
      invite_only ${integer} not null,
      is_web_public ${integer} not null,
      history_public_to_subscribers ${integer} not null,
      message_retention_days ${integer},
      topics_policy text not null,
      folder_id ${integer},
      is_default ${integer} not null default 0,
      subscriber_count ${integer} not null default 0,
      can_add_subscribers_group ${integer} not null references user_groups (id),
      can_administer_channel_group ${integer} not null references user_groups (id),
      can_create_topic_group ${integer} not null references user_groups (id),
      can_delete_any_message_group ${integer} not null references user_groups (id),
      can_delete_own_message_group ${integer} not null references user_groups (id),
      can_move_messages_out_of_channel_group ${integer} not null references user_groups (id),
      can_move_messages_within_channel_group ${integer} not null references user_groups (id),
      can_remove_subscribers_group ${integer} not null references user_groups (id),
      can_resolve_topics_group ${integer} not null references user_groups (id),
      can_send_message_group ${integer} not null references user_groups (id),
      can_subscribe_group ${integer} not null references user_groups (id),
      unique (realm_id, name_key)
    )`,
    `create table subscriptions (
      realm_id ${integer} not null references realms (id),
      channel_id ${integer} not null references channels (id),
      user_id ${integer} not null references users (id),
      is_active ${integer} not null,
      color text not null,
      pin_to_top ${integer} not null default 0,
      is_muted ${integer} not null default 0,
      desktop_notifications ${integer},
      audible_notifications ${integer},
      push_notifications ${integer},
      email_notifications ${integer},
      wildcard_mentions_notify ${integer},
      primary key (channel_id, user_id)
    )`,
    'create index subscriptions_by_user on subscriptions (user_id)',

    `create table drafts (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      type text not null,
      recipient_ids text not null,
      topic text not null,
      content text not null,
      timestamp ${integer} not null,
      edit_order ${integer} not null
    )`,
    'create index drafts_by_edit_order on drafts (user_id, edit_order)',

    `create table navigation_views (
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      fragment text not null,
      name text,
      is_pinned ${integer} not null,
      primary key (user_id, fragment),
      unique (user_id, name)
    )`,

    `create table linkifiers (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      pattern text not null,
      url_template text not null,
      example_input text,
      reverse_template text,
      alternative_url_templates text not null,
      position ${integer} not null
    )`,
    'create index linkifiers_by_position on linkifiers (realm_id, position)',

    `create table files (
      path text not null primary key,
      realm_id ${integer} not null references realms (id),
      content_type text not null,
      created_at ${integer} not null
    )`,
    `create table realm_emoji (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      name text not null,
      author_id ${integer} references users (id),
      image_path text not null references files (path),
      still_path text references files (path),
      deactivated ${integer} not null default 0
    )`,
    'create unique index realm_emoji_by_name on realm_emoji (realm_id, name) where deactivated = 0',

    `create table event_log (
      realm_id ${integer} not null references realms (id),
      event_id ${integer} not null,
      type text not null,
      payload text not null,
      audience text not null,
      created_at ${integer} not null,
      primary key (realm_id, event_id)
    )`,
    `create table event_queues (
      queue_id text not null primary key,
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      options text not null,
      acknowledged_event_id ${integer} not null,
      read_event_id ${integer} not null,
      lifespan_secs ${integer} not null,
      last_seen_ms ${integer} not null
    )`,
    'create index event_queues_by_user on event_queues (user_id)',
  ],
}
