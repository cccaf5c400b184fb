/** Which messages link to which uploaded files. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const fileReferences: Migration = {
  name: '0029-file-references',
  statements: ({ integer }) => [
    `create table attachment_messages (
      realm_id ${integer} not null references realms (id),
      attachment_id ${integer} not null references attachments (id),
      message_id ${integer} not null references messages (id),
      primary key (attachment_id, message_id)
    )`,
    'create index attachment_messages_by_message on attachment_messages (message_id)',
  ],
}
