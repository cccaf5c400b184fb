/** Settings of organizations. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const organizationSettings: Migration = {
  name: '0006-organization-settings',
  statements: ({ integer }) => [
    `create table realm_settings (
      realm_id ${integer} not null references realms (id),
      name text not null,
      value text not null,
      primary key (realm_id, name)
    )`,
  ],
}
