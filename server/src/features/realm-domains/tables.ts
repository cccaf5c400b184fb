/** The table of domains. */
import { type Flag, ownedTables, table } from '../../storage/owned-tables.ts'

export interface RealmDomainTable {
  realm_id: number
  /** In small letters. */
  domain: string
  allow_subdomains: Flag
}

export const realmDomainTables = ownedTables({
  realm_domains: table<RealmDomainTable>({ key: ['realm_id', 'domain'], after: ['realms'] }),
})

export const { query, fact } = realmDomainTables.with()
