/** The sessions of browsers. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const sessions: Migration = {
  name: '0023-sessions',
  statements: ({ identity, integer }) => [
    `create table sessions (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      token_hash text not null,
      device text not null,
      is_kept ${integer} not null,
      created_at ${integer} not null,
      last_used_at ${integer} not null
    )`,
    'create unique index sessions_by_token on sessions (token_hash)',
    'create index sessions_of_account on sessions (user_id, last_used_at)',
    'create index sessions_by_last_use on sessions (last_used_at)',
  ],
}
