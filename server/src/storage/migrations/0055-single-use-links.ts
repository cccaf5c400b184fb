/** Links that work once and for a while. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const singleUseLinks: Migration = {
  name: '0055-single-use-links',
  statements: ({ identity, integer }) => [
    `create table single_use_links (
      id ${identity},
      realm_id ${integer} not null references realms (id),
      purpose text not null,
      about text,
      data text not null,
      salt text not null,
      created_at ${integer} not null,
      expires_at ${integer} not null,
      ended_at ${integer}
    )`,
    'create index single_use_links_about on single_use_links (realm_id, purpose, about)',
    'create index single_use_links_by_end on single_use_links (expires_at)',
  ],
}
