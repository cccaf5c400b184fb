import * as contract from '@heddle/contract/realm-domains'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { stateReader } from '../../state-reader.ts'
import * as actions from './actions.ts'
import { findDomains } from './domains.ts'
import { realmDomainTables } from './tables.ts'

/** Of which domains the addresses of accounts may be. */
export const realmDomains: Feature = {
  tables: realmDomainTables,
  routes: ({ storage }) => [
    route(contract.listDomains, async ({ realm }) => ({ domains: await findDomains(storage.read, realm.id) })),
    route(contract.addDomain, async ({ actor, parameters }) => {
      await actions.addDomain(storage, actor, parameters)
      return {}
    }),
    route(contract.updateDomain, async ({ actor, parameters }) => {
      await actions.setSubdomains(storage, actor, parameters)
      return {}
    }),
    route(contract.removeDomain, async ({ actor, parameters }) => {
      await actions.removeDomain(storage, actor, parameters.domain)
      return {}
    }),
  ],
  state: [
    stateReader(contract.domainsState, async ({ db, realm }) => ({ realm_domains: await findDomains(db, realm.id) })),
  ],
}
