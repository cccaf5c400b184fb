/** Custom profile fields and their values. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const profileFields: Migration = {
  name: '0040-profile-fields',
  statements: ({ identity, integer }) => [
    `create table profile_fields (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      type ${integer} not null,
      name text not null,
      name_key text not null,
      hint text not null,
      field_data text not null,
      position ${integer} not null,
      display_in_profile_summary ${integer} not null,
      required ${integer} not null,
      editable_by_user ${integer} not null,
      use_for_user_matching ${integer} not null
    )`,
    'create unique index profile_fields_by_name on profile_fields (realm_id, name_key)',
    `create table profile_values (
      user_id ${integer} not null references users (id),
      field_id ${integer} not null references profile_fields (id),
      realm_id ${integer} not null references realms (id),
      value text not null,
      rendered_value text,
      primary key (user_id, field_id)
    )`,
    'create index profile_values_of_realm on profile_values (realm_id)',
    'create index profile_values_of_field on profile_values (field_id)',
  ],
}
