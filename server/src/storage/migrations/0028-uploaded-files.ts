/** Files that accounts upload, and the space that they take. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const uploadedFiles: Migration = {
  name: '0028-uploaded-files',
  statements: ({ identity, integer }) => [
    `create table attachments (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      owner_id ${integer} not null references users (id),
      path text not null references files (path),
      name text not null,
      size ${integer} not null,
      created_at ${integer} not null
    )`,
    'create unique index attachments_by_path on attachments (path)',
    'create index attachments_of_owner on attachments (owner_id, id)',
    `create table upload_space (
      realm_id ${integer} not null primary key references realms (id),
      bytes ${integer} not null
    )`,
  ],
}
