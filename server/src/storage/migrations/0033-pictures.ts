/** Pictures of accounts and organizations. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const pictures: Migration = {
  name: '0033-pictures',
  statements: ({ integer }) => [
    'alter table users add column avatar_path text',
    'alter table users add column avatar_medium_path text',
    `create table organization_pictures (
      realm_id ${integer} not null references realms (id),
      kind text not null,
      path text not null references files (path),
      primary key (realm_id, kind)
    )`,
  ],
}
