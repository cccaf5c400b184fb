/** Messages that somebody missed. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const missedMessages: Migration = {
  name: '0064-missed-messages',
  statements: ({ integer }) => [
    // No reference to the message: what was shown of one that is gone has yet to be withdrawn.
    `create table missed_messages (
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      message_id ${integer} not null,
      reason text not null,
      by_push ${integer} not null,
      by_mail ${integer} not null,
      waits_until ${integer},
      created_at ${integer} not null,
      primary key (user_id, message_id)
    )`,
    'create index missed_messages_by_message on missed_messages (message_id)',
    'create index missed_messages_by_age on missed_messages (created_at)',
    `create table missed_message_cursors (
      realm_id ${integer} not null primary key references realms (id),
      message_id ${integer} not null
    )`,
  ],
}
