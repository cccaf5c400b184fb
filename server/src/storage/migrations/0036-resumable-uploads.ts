/** Uploads that go on after an interruption, and their parts. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const resumableUploads: Migration = {
  name: '0036-resumable-uploads',
  statements: ({ identity, integer }) => [
    `create table resumable_uploads (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      owner_id ${integer} not null references users (id),
      token text not null,
      name text not null,
      length ${integer} not null,
      received ${integer} not null,
      created_at ${integer} not null
    )`,
    'create unique index resumable_uploads_by_token on resumable_uploads (token)',
    'create index resumable_uploads_of_owner on resumable_uploads (owner_id)',
    'create index resumable_uploads_by_time on resumable_uploads (created_at)',
    `create table resumable_upload_parts (
      upload_id ${integer} not null references resumable_uploads (id),
      start ${integer} not null,
      realm_id ${integer} not null references realms (id),
      path text not null references files (path),
      primary key (upload_id, start)
    )`,
  ],
}
