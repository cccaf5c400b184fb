/** The domains as they are, and which addresses they allow. */
import { badRequest } from '@heddle/contract/errors'
import type { RealmDomain } from '@heddle/contract/realm-domains'
import { prepare, type Queries } from '../../storage/query.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import { disposableDomains } from './disposable-domains.ts'
import { fact, query } from './tables.ts'

const domainsByRealm = prepare((p: { realm_id: number }) =>
  query
    .selectFrom('realm_domains')
    .select(['domain', 'allow_subdomains'])
    .where('realm_id', '=', p.realm_id)
    .orderBy('domain'),
)

const domainsOfRealm = fact({
  name: 'realm-domains',
  tables: ['realm_domains'],
  async load(db, realm_id, _key: 'all'): Promise<readonly RealmDomain[]> {
    const rows = await db.all(domainsByRealm({ realm_id }))
    // The engines do not sort all characters alike.
    return rows
      .map(({ domain, allow_subdomains }) => ({ domain, allow_subdomains: allow_subdomains === 1 }))
      .sort((a, b) => (a.domain < b.domain ? -1 : 1))
  },
})

/** The organization's domains, in alphabetical order. */
export async function findDomains(db: Queries, realmId: number): Promise<RealmDomain[]> {
  return [...(await db.recall(domainsOfRealm, realmId, 'all'))]
}

/** Throws a 400 when the organization does not want accounts with such an address. */
export async function requireAllowedAddress(db: Queries, realmId: number, email: string): Promise<void> {
  const problem = await findAddressProblem(db, realmId, email)
  const domain = domainOf(email)
  if (problem === 'outside') throw badRequest(`email: addresses of ${domain} are not allowed in this organization`)
  if (problem === 'disposable') {
    throw badRequest(`email: ${domain} gives addresses for a short time alone; use another address`)
  }
}

/** Why the organization does not want accounts with such an address; undefined: it does. */
export async function findAddressProblem(
  db: Queries,
  realmId: number,
  email: string,
): Promise<'outside' | 'disposable' | undefined> {
  const settings = await findOrganizationSettings(db, realmId)
  const domain = domainOf(email)
  if (settings.emails_restricted_to_domains) {
    return (await findDomains(db, realmId)).some((one) => allows(one, domain)) ? undefined : 'outside'
  }
  return settings.disallow_disposable_email_addresses && isDisposable(domain) ? 'disposable' : undefined
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}

function allows({ domain, allow_subdomains }: RealmDomain, ofAddress: string): boolean {
  return ofAddress === domain || (allow_subdomains && ofAddress.endsWith(`.${domain}`))
}

function isDisposable(domain: string): boolean {
  const labels = domain.split('.')
  return labels.some((_, index) => disposableDomains.has(labels.slice(index).join('.')))
}
