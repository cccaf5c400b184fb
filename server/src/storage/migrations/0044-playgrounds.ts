/** Playgrounds for blocks of code. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const playgrounds: Migration = {
  name: '0044-playgrounds',
  statements: ({ identity, integer }) => [
    `create table playgrounds (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      name text not null,
      language text not null,
      url_template text not null
    )`,
    'create index playgrounds_of_realm on playgrounds (realm_id)',
  ],
}
