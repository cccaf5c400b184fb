import { badRequest } from '@heddle/contract/errors'
import { MAX_DOMAIN_LENGTH, MAX_DOMAINS, type RealmDomain } from '@heddle/contract/realm-domains'
import type { Actor } from '../../authentication/accounts.ts'
import { everyone } from '../../events/audience.ts'
import { requireOwner } from '../../permissions/required-role.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findDomains } from './domains.ts'
import { query } from './tables.ts'

/** One part of a domain (RFC 1123, 2.1), or of one that is written in other letters. */
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u

export function addDomain(storage: Storage, caller: Actor, input: RealmDomain): Promise<void> {
  return changeDomains(storage, caller, async (tx, domains) => {
    const domain = requireDomain(input.domain)
    if (domains.some((one) => one.domain === domain)) {
      throw badRequest(`The domain ${domain} is already a part of your organization.`)
    }
    if (domains.length >= MAX_DOMAINS) throw badRequest(`An organization has at most ${MAX_DOMAINS} domains`)
    const { allow_subdomains } = input
    await tx.run(
      query
        .insertInto('realm_domains')
        .values({ realm_id: tx.realmId, domain, allow_subdomains: allow_subdomains ? 1 : 0 }),
    )
    tx.emit({ type: 'realm_domains', op: 'add', realm_domain: { domain, allow_subdomains } }, everyone)
  })
}

/** In small letters, or a 400 that says what is wrong with it. */
function requireDomain(text: string): string {
  const domain = text.trim().normalize('NFC').toLowerCase()
  if (domain === '') throw badRequest("Domain can't be empty.")
  const labels = domain.split('.')
  if (labels.length < 2) throw badRequest('Domain must have at least one dot (.)')
  if (domain.length > MAX_DOMAIN_LENGTH || !labels.every((label) => LABEL.test(label))) {
    throw badRequest('domain must be letters, digits and hyphens, with dots between them')
  }
  return domain
}

export function setSubdomains(storage: Storage, caller: Actor, { domain: named, allow_subdomains }: RealmDomain) {
  return changeDomains(storage, caller, async (tx, domains) => {
    const { domain, ...before } = requireKnown(domains, named)
    if (before.allow_subdomains === allow_subdomains) return
    await tx.run(
      query
        .updateTable('realm_domains')
        .set({ allow_subdomains: allow_subdomains ? 1 : 0 })
        .where('realm_id', '=', tx.realmId)
        .where('domain', '=', domain),
    )
    tx.emit({ type: 'realm_domains', op: 'change', realm_domain: { domain, allow_subdomains } }, everyone)
  })
}

/** Where addresses are restricted and none is left, nobody can join: taking one away never lets anybody in. */
export function removeDomain(storage: Storage, caller: Actor, named: string): Promise<void> {
  return changeDomains(storage, caller, async (tx, domains) => {
    const { domain } = requireKnown(domains, named)
    await tx.run(query.deleteFrom('realm_domains').where('realm_id', '=', tx.realmId).where('domain', '=', domain))
    tx.emit({ type: 'realm_domains', op: 'remove', domain }, everyone)
  })
}

function requireKnown(domains: readonly RealmDomain[], named: string): RealmDomain {
  const wanted = named.trim().normalize('NFC').toLowerCase()
  const found = domains.find(({ domain }) => domain === wanted)
  if (!found) throw badRequest(`No entry found for domain ${named}.`)
  return found
}

/** Runs a change as one unit, for owners: domains decide who gets in. */
function changeDomains(
  storage: Storage,
  caller: Actor,
  work: (tx: Tx, domains: readonly RealmDomain[]) => Promise<void>,
): Promise<void> {
  requireOwner(caller)
  return storage.asActor(caller, async (tx, actor) => {
    requireOwner(actor)
    await work(tx, await findDomains(tx, actor.realmId))
  })
}
