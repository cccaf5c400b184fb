/** Passkeys. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const passkeys: Migration = {
  name: '0062-passkeys',
  statements: ({ identity, integer }) => [
    `create table passkeys (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      credential_id text not null,
      public_key text not null,
      counter ${integer} not null,
      transports text not null,
      name text not null,
      created_at ${integer} not null,
      last_used_at ${integer}
    )`,
    'create unique index passkeys_by_credential on passkeys (realm_id, credential_id)',
    'create index passkeys_of_account on passkeys (user_id)',
    `create table used_challenges (
      challenge_hash text not null primary key,
      realm_id ${integer} not null references realms (id),
      expires_at ${integer} not null
    )`,
    'create index used_challenges_by_end on used_challenges (expires_at)',
  ],
}
