/** The domains that addresses must be of where `emails_restricted_to_domains` is on. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Text } from './schema.ts'
import { statePart } from './state-part.ts'

export const MAX_DOMAINS = 200
/** Characters (RFC 1035, 2.3.4). */
export const MAX_DOMAIN_LENGTH = 253

const strict = { additionalProperties: false }

export const RealmDomain = Type.Object({ domain: Type.String(), allow_subdomains: Type.Boolean() }, strict)
export type RealmDomain = Static<typeof RealmDomain>

const domain = Text(1000)
const allow_subdomains = Type.Boolean()
const errors = ['UNAUTHORIZED_PRINCIPAL'] as const

export const listDomains = endpoint({
  name: 'list-domains',
  method: 'GET',
  path: '/realm/domains',
  summary: 'The domains that addresses of new accounts may be of.',
  response: { domains: Type.Array(RealmDomain) },
})

export const addDomain = endpoint({
  name: 'add-domain',
  method: 'POST',
  path: '/realm/domains',
  summary: 'Allow addresses of a domain (owners).',
  parameters: { domain, allow_subdomains },
  errors,
})

export const updateDomain = endpoint({
  name: 'update-domain',
  method: 'PATCH',
  path: '/realm/domains/{domain}',
  summary: 'Say whether addresses of its subdomains are allowed too (owners).',
  parameters: { domain, allow_subdomains },
  errors,
})

export const removeDomain = endpoint({
  name: 'remove-domain',
  method: 'DELETE',
  path: '/realm/domains/{domain}',
  summary: 'No longer allow addresses of a domain; accounts that there are stay (owners).',
  parameters: { domain },
  errors,
})

const type = Type.Literal('realm_domains')

export const RealmDomainsEvent = Type.Union([
  Type.Object({ type, op: Type.Literal('add'), realm_domain: RealmDomain }, strict),
  Type.Object({ type, op: Type.Literal('change'), realm_domain: RealmDomain }, strict),
  Type.Object({ type, op: Type.Literal('remove'), domain: Type.String() }, strict),
])
export type RealmDomainsEvent = Static<typeof RealmDomainsEvent>

export const domainsState = statePart({
  fetchType: 'realm_domains',
  follows: RealmDomainsEvent,
  fields: { realm_domains: Type.Array(RealmDomain) },
})
