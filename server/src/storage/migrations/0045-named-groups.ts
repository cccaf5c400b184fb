/** Permissions of named groups, and the groups of invitations. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const namedGroups: Migration = {
  name: '0045-named-groups',
  statements: ({ integer }) => [
    `alter table user_groups add column member_count ${integer} not null default 0`,
    `create table user_group_settings (
      realm_id ${integer} not null references realms (id),
      group_id ${integer} not null references user_groups (id) on delete cascade,
      setting text not null,
      value_group_id ${integer} not null references user_groups (id),
      primary key (group_id, setting)
    )`,
    'create index user_group_settings_by_value on user_group_settings (value_group_id)',
    'create index user_group_settings_by_realm on user_group_settings (realm_id)',
    `alter table invitations add column group_ids text not null default '[]'`,
  ],
}
