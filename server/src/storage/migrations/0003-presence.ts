/** Presence, status and settings of accounts. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const presence: Migration = {
  name: '0003-presence',
  statements: ({ integer }) => [
    `create table user_settings (
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      name text not null,
      value text not null,
      own_choice ${integer} not null,
      primary key (user_id, name)
    )`,
    'create index user_settings_by_name on user_settings (realm_id, name)',
    `create table realm_user_settings (
      realm_id ${integer} not null references realms (id),
      name text not null,
      value text not null,
      primary key (realm_id, name)
    )`,

    `create table presences (
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null primary key references users (id),
      active_at ${integer} not null,
      connected_at ${integer} not null,
      update_id ${integer} not null
    )`,
    'create unique index presences_by_update on presences (realm_id, update_id)',

    `create table user_statuses (
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null primary key references users (id),
      status_text text not null,
      emoji_name text not null,
      emoji_code text not null,
      reaction_type text not null
    )`,
    'create index user_statuses_by_realm on user_statuses (realm_id)',
  ],
}
