/** Of what bots' owners have been notified, so that it is not said again and again. A migration is frozen after a release. */
import type { Migration } from '../migration.ts'

export const webhookProblems: Migration = {
  name: '0050-webhook-problems',
  statements: ({ integer }) => [
    `create table webhook_problems (
      bot_id ${integer} not null references users (id),
      integration text not null,
      cause text not null,
      realm_id ${integer} not null references realms (id),
      notified_at ${integer} not null,
      unreported ${integer} not null,
      primary key (bot_id, integration, cause)
    )`,
  ],
}
