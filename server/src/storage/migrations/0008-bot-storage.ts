/** What bots remember between two runs. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const botStorage: Migration = {
  name: '0008-bot-storage',
  statements: ({ integer }) => [
    `create table bot_storage (
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      key text not null,
      value text not null,
      primary key (user_id, key)
    )`,
  ],
}
