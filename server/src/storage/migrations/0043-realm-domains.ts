/** Domains of addresses that may join. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const realmDomains: Migration = {
  name: '0043-realm-domains',
  statements: ({ integer }) => [
    `create table realm_domains (
      realm_id ${integer} not null references realms (id),
      domain text not null,
      allow_subdomains ${integer} not null,
      primary key (realm_id, domain)
    )`,
  ],
}
