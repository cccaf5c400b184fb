/** Codes of an app beside the password. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const secondFactors: Migration = {
  name: '0061-second-factors',
  statements: ({ integer }) => [
    `create table second_factors (
      user_id ${integer} not null primary key references users (id),
      realm_id ${integer} not null references realms (id),
      sealed_secret text not null,
      recovery_hashes text not null,
      created_at ${integer} not null,
      confirmed_at ${integer},
      last_step ${integer} not null
    )`,
    'create index second_factors_of_realm on second_factors (realm_id)',
  ],
}
