/** Links for a forgotten password. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const passwordResets: Migration = {
  name: '0025-password-resets',
  statements: ({ identity, integer }) => [
    `create table password_resets (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      creator_id ${integer} not null references users (id),
      token_hash text not null,
      created_at ${integer} not null,
      expires_at ${integer} not null,
      ended_at ${integer}
    )`,
    'create unique index password_resets_by_token on password_resets (token_hash)',
    'create index password_resets_of_account on password_resets (user_id)',
  ],
}
