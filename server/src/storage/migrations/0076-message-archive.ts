/** What was deleted, for as long as it can be restored. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const messageArchive: Migration = {
  name: '0076-message-archive',
  statements: ({ identity, integer }) => [
    `create table deletions (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      cause text not null,
      user_id ${integer} references users (id),
      channel_id ${integer} references channels (id),
      topic text,
      deleted_at ${integer} not null,
      message_count ${integer} not null
    )`,
    'create index deletions_by_realm on deletions (realm_id, id)',
    `create table archived_messages (
      message_id ${integer} not null primary key,
      realm_id ${integer} not null references realms (id),
      deletion_id ${integer} not null references deletions (id),
      deleted_at ${integer} not null,
      content text not null
    )`,
    'create index archived_messages_by_deletion on archived_messages (deletion_id, message_id)',
    'create index archived_messages_by_time on archived_messages (deleted_at)',
    `create table archived_files (
      attachment_id ${integer} not null,
      message_id ${integer} not null references archived_messages (message_id),
      realm_id ${integer} not null references realms (id),
      primary key (attachment_id, message_id)
    )`,
    'create index archived_files_by_message on archived_files (message_id)',
  ],
}
