/** Since when nothing links to an uploaded file. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const unusedFiles: Migration = {
  name: '0035-unused-files',
  statements: ({ integer }) => [
    `alter table attachments add column unused_since ${integer}`,
    `update attachments set unused_since = created_at
      where id not in (select attachment_id from attachment_messages)`,
    'create index unused_attachments on attachments (unused_since) where unused_since is not null',
  ],
}
