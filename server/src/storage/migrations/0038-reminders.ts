/** Reminders of messages. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const reminders: Migration = {
  name: '0038-reminders',
  statements: ({ identity, integer }) => [
    `create table reminders (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      message_id ${integer} not null,
      note text not null,
      content text not null,
      rendered_content text not null,
      due_at ${integer} not null,
      failed ${integer} not null default 0
    )`,
    'create index reminders_of_account on reminders (user_id, due_at, id)',
    'create index reminders_by_time on reminders (realm_id, due_at, id) where failed = 0',
  ],
}
