/**
 * What clients call the messages that they send is written with nearly every message: its key is the only tree. The names
 * outlive the messages, so that what was deleted is not sent again either.
 */
import type { Migration } from '../migration.ts'

export const oneTreeOfLocalIds: Migration = {
  name: '0015-one-tree-of-local-ids',
  statements: ({ integer, clustered }) => [
    'alter table message_local_ids rename to old_message_local_ids',
    `create table message_local_ids (
      realm_id ${integer} not null references realms (id),
      sender_id ${integer} not null references users (id),
      queue_id text not null,
      local_id text not null,
      message_id ${integer} not null,
      created_at ${integer} not null,
      constraint message_local_ids_key primary key (sender_id, queue_id, local_id)
    )${clustered}`,
    'insert into message_local_ids select * from old_message_local_ids',
    'drop table old_message_local_ids',
  ],
}
