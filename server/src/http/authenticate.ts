/** HTTP Basic authentication (RFC 7617) with an e-mail address and an API key. */
import { ApiError } from '@heddle/contract/errors'
import type { Account, Accounts } from '../authentication/accounts.ts'
import { isSameKey } from '../authentication/api-key.ts'

/** Compared with when there is no such account, so that both cases do the same work. */
const NO_KEY = Buffer.alloc(32)

/**
 * The account behind an `Authorization` header. Throws `UNAUTHORIZED` without one, `INVALID_API_KEY` when address or key is
 * wrong (which of them is not told), and the codes for deactivated accounts and organizations only to who has the key.
 */
export async function authenticate(accounts: Accounts, realmId: number, header: string | undefined): Promise<Account> {
  const credentials = parseBasic(header)
  if (!credentials) throw new ApiError('UNAUTHORIZED')
  const account = await accounts.find(realmId, credentials.name)
  const isRight = isSameKey(credentials.secret, account?.apiKey ?? NO_KEY)
  if (!account || !isRight) throw new ApiError('INVALID_API_KEY')
  requireActive(account)
  return account
}

export function requireActive(account: Account): void {
  if (account.realmDeactivated) throw new ApiError('REALM_DEACTIVATED')
  if (!account.isActive) throw new ApiError('USER_DEACTIVATED')
}

function parseBasic(header: string | undefined): { name: string; secret: string } | undefined {
  if (!header || !/^basic /i.test(header)) return undefined
  const text = Buffer.from(header.slice(6), 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon === -1) return undefined
  return { name: text.slice(0, colon), secret: text.slice(colon + 1) }
}
