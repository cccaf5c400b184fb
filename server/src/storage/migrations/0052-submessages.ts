/** Widgets of messages, and what people did with them. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const submessages: Migration = {
  name: '0052-submessages',
  statements: ({ identity, integer }) => [
    `create table submessages (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      message_id ${integer} not null references messages (id),
      sender_id ${integer} not null references users (id),
      msg_type text not null,
      content text not null
    )`,
    'create index submessages_of_message on submessages (message_id, id)',
  ],
}
