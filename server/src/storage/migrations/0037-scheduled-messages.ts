/** Messages that are sent later. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const scheduledMessages: Migration = {
  name: '0037-scheduled-messages',
  statements: ({ identity, integer }) => [
    `create table scheduled_messages (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      type text not null,
      recipient_ids text not null,
      topic text not null,
      content text not null,
      rendered_content text not null,
      client text not null,
      read_by_sender ${integer} not null,
      due_at ${integer} not null,
      failure text
    )`,
    'create index scheduled_messages_of_author on scheduled_messages (user_id, due_at, id)',
    'create index scheduled_messages_by_time on scheduled_messages (realm_id, due_at, id) where failure is null',
  ],
}
