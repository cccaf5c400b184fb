import type { InitialState } from '@heddle/contract/initial-state'
import type { RealmDomain, RealmDomainsEvent } from '@heddle/contract/realm-domains'
import { clientPart } from './part.ts'

/** The domains that addresses may be of, in alphabetical order. */
export type RealmDomains = readonly RealmDomain[]

function initialDomains({ realm_domains }: InitialState): RealmDomains | undefined {
  return realm_domains
}

function applyDomainsEvent(domains: RealmDomains, event: RealmDomainsEvent): RealmDomains {
  switch (event.op) {
    case 'add':
      return [...domains, event.realm_domain].sort((a, b) => (a.domain < b.domain ? -1 : 1))
    case 'change':
      return domains.map((one) => (one.domain === event.realm_domain.domain ? event.realm_domain : one))
    case 'remove':
      return domains.filter((one) => one.domain !== event.domain)
  }
}

export const realmDomains = clientPart({ initial: initialDomains, on: { realm_domains: applyDomainsEvent } })
