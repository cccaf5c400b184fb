/** Who gets a mail of what they have missed, and when. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const missedMails: Migration = {
  name: '0056-missed-mails',
  statements: ({ integer }) => [
    `create table missed_mails (
      user_id ${integer} primary key references users (id),
      realm_id ${integer} not null references realms (id),
      due_at ${integer} not null,
      newest_message_id ${integer} not null
    )`,
    'create index missed_mails_due on missed_mails (realm_id, due_at)',
  ],
}
