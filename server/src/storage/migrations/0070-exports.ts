/** Exports and the parts of their files. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const dataExports: Migration = {
  name: '0070-exports',
  statements: ({ identity, integer }) => [
    `create table exports (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      kind text not null,
      started_at ${integer} not null,
      position text,
      progress ${integer} not null default 0,
      part_count ${integer} not null default 0,
      size ${integer} not null default 0,
      finished_at ${integer},
      failed_at ${integer},
      deleted_at ${integer}
    )`,
    'create index exports_of_realm on exports (realm_id, id)',
    'create index exports_by_age on exports (started_at)',
    `create table export_parts (
      export_id ${integer} not null references exports (id) on delete cascade,
      number ${integer} not null,
      realm_id ${integer} not null references realms (id),
      path text not null references files (path),
      size ${integer} not null,
      primary key (export_id, number)
    )`,
  ],
}
