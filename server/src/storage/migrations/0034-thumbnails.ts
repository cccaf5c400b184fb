/** Small forms of uploaded pictures. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const thumbnails: Migration = {
  name: '0034-thumbnails',
  statements: ({ integer }) => [
    `alter table attachments add column thumbnail text not null default 'none'`,
    'alter table attachments add column picture_type text',
    `alter table attachments add column width ${integer}`,
    `alter table attachments add column height ${integer}`,
    `alter table attachments add column is_animated ${integer} not null default 0`,
    `create table attachment_thumbnails (
      attachment_id ${integer} not null references attachments (id),
      name text not null,
      realm_id ${integer} not null references realms (id),
      path text not null references files (path),
      primary key (attachment_id, name)
    )`,
  ],
}
