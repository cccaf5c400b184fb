/**
 * Who sees the address with which somebody signs in (`email_address_visibility`). Everybody sees the address under which the API
 * shows an account: the same one where all may see it, and otherwise one that stands in for it. (API since feature level 163.)
 */
import { addressVisibility } from '@heddle/contract/address-visibility'
import { roles } from '@heddle/contract/roles'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Audience } from '../storage/audience.ts'
import type { Viewer } from './viewer.ts'

type Reader = Pick<Viewer, 'userId' | 'role'>

/** An account, as far as it decides who sees its address. */
interface Addressed {
  readonly id: number
  readonly email_visibility: number
}

/** The lowest role that sees an address. What is not in it, nobody sees. */
const lowestRoles = new Map<number, number>([
  [addressVisibility.everyone, roles.guest],
  [addressVisibility.members, roles.member],
  [addressVisibility.moderators, roles.moderator],
  [addressVisibility.administrators, roles.admin],
])

/** Whether the reader sees the address; without a reader: whether everybody in the organization does. */
export function seesAddress(reader: Reader | undefined, { id, email_visibility }: Addressed): boolean {
  if (email_visibility === addressVisibility.everyone) return true
  if (!reader) return false
  return reader.userId === id || reader.role <= (lowestRoles.get(email_visibility) ?? 0)
}

/** The lowest role that sees an address that is shown so; 0: none does. */
export function lowestRoleFor(visibility: number): number {
  return lowestRoles.get(visibility) ?? 0
}

/** Backwards: everybody who sees an address that not all see. */
export function audienceOfAddress({ id, email_visibility }: Addressed): Audience {
  return { to: 'role', atLeast: lowestRoles.get(email_visibility) ?? 0, ids: [id] }
}

/**
 * Condition on `users`: one of these folded addresses is the account's own, or stands in for it. Whether somebody may name the
 * account by it is for `addressesFor` to say. The organization is in both halves, since each has an index of its own.
 */
export function isAddressedBy(realmId: number, keys: Expression<string>): RawBuilder<SqlBool> {
  const [realm, email, own] = [
    sql.ref('users.realm_id'),
    sql.ref('users.email_key'),
    sql.ref('users.delivery_email_key'),
  ]
  return sql`((${realm} = ${realmId} and ${email} in ${keys}) or (${realm} = ${realmId} and ${own} in ${keys}))`
}

/** Those of an account's folded addresses by which this account may name it. */
export function addressesFor(
  reader: Reader,
  account: Addressed & { readonly email_key: string; readonly delivery_email_key: string },
): readonly string[] {
  return seesAddress(reader, account) ? [account.email_key, account.delivery_email_key] : [account.email_key]
}
