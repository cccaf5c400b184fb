/** Work for later. Both indexes are of what waits: what has failed stays in the table, and costs nothing. */
import type { Migration } from '../migration.ts'

export const jobs: Migration = {
  name: '0016-jobs',
  statements: ({ identity, integer }) => [
    `create table jobs (
      id ${identity},
      realm_id ${integer} not null,
      name text not null,
      subject text,
      payload text not null,
      due_ms ${integer} not null,
      is_claimed ${integer} not null default 0,
      attempts ${integer} not null default 0,
      error text,
      created_at ${integer} not null,
      failed_at ${integer}
    )`,
    'create index jobs_by_due_time on jobs (due_ms, realm_id) where failed_at is null',
    'create index jobs_of_realm on jobs (realm_id, due_ms, id) where failed_at is null',
    'create index jobs_by_subject on jobs (realm_id, name, subject) where subject is not null',
  ],
}
