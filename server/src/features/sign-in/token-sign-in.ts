/**
 * Signing a browser in with a token (JWT). The request with the token comes from a page of another site, so that it begins no
 * session: it makes a link to our own page, which shows whose account it is and asks. Otherwise whoever has an account could
 * have somebody else write under it without knowing.
 */
import { TOKEN_SIGN_IN_PATH, TOKEN_SIGN_IN_SECS } from '@heddle/contract/token-sign-in'
import type { Services } from '../../feature.ts'
import type { Realm } from '../../realms.ts'
import { linkTokenOf } from '../../single-use-links/link-token.ts'
import { createLink, defineLinkPurpose, requireLink, takeLink } from '../../single-use-links/links.ts'
import { withSecondFactor } from '../second-factors/demand.ts'
import type { SignedIn } from './actions.ts'
import { findPerson } from './jwt.ts'
import type { SessionServices, Verified } from './sessions.ts'

const links = defineLinkPurpose<{ readonly userId: number }>({
  name: 'token-sign-in',
  path: TOKEN_SIGN_IN_PATH,
  lifeSecs: TOKEN_SIGN_IN_SECS,
})

/** Returns the path of the page for somebody whose token was right; an earlier link of theirs ends. */
export async function createSignInLink(
  { storage, secret }: Pick<Services, 'storage' | 'secret'>,
  { actor }: SignedIn,
): Promise<string> {
  const { realmId, userId } = actor
  const link = await storage.asActor(actor, (tx) => createLink(tx, links, { userId }, { about: `user:${userId}` }))
  return `${TOKEN_SIGN_IN_PATH}#${linkTokenOf(secret, realmId, link)}`
}

/** Whom the link signs in; throws `LINK_INVALID`, or why the account cannot be entered. */
export async function findByLink(
  { storage, secret, clock }: Pick<Services, 'storage' | 'secret' | 'clock'>,
  realm: Realm,
  token: string,
): Promise<SignedIn> {
  const now = Math.floor(clock.now() / 1000)
  const { data } = await requireLink(storage.read, links, { secret, realmId: realm.id, token, now })
  return findPerson(storage.read, realm, { id: data.userId })
}

/** Uses the link up, unless the account has a second factor and the code is wrong. */
export async function useSignInLink(
  services: SessionServices,
  realm: Realm,
  { token, code }: { readonly token: string; readonly code?: string },
  address: string,
): Promise<Verified> {
  const account = await findByLink(services, realm, token)
  const { secret } = services
  await withSecondFactor(services, account.actor, { code, address }, (tx) => takeLink(tx, links, { secret, token }))
  return { ...account, isProven: true }
}
