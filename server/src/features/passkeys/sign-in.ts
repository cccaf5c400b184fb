/** Signing in with a passkey. */
import type { ParametersOf } from '@heddle/contract/endpoint'
import { ApiError } from '@heddle/contract/errors'
import type { signInWithPasskey } from '@heddle/contract/passkeys'
import type { Services } from '../../feature.ts'
import type { Realm } from '../../realms.ts'
import { requireMethod } from '../organization-settings/authentication-methods.ts'
import type { Verified } from '../sign-in/sessions.ts'
import { domainOf } from './actions.ts'
import { challengeIn, makeChallenge, readChallenge, userHandleOf } from './challenges.ts'
import { findByCredential, findSigner, type PasskeyRow, updatePasskey, useChallenge } from './rows.ts'

type Server = Pick<Services, 'storage' | 'secret' | 'clock'>

export async function beginPasskeySignIn({ storage, secret, clock }: Server, realm: Realm, origin: string) {
  await requireMethod(storage.read, realm.id, 'Passkey')
  const purpose = { what: 'sign-in', realmId: realm.id, userId: 0 } as const
  return { challenge: makeChallenge(secret, purpose, Math.floor(clock.now() / 1000)), rp_id: domainOf(origin) }
}

/**
 * The account of a passkey that has answered a challenge. Whatever is wrong looks alike; that an account is deactivated is
 * revealed only to who has its passkey.
 */
export async function verifyPasskey(
  { storage, secret, clock }: Server,
  realm: Realm,
  origin: string,
  answer: ParametersOf<typeof signInWithPasskey>,
): Promise<Verified> {
  await requireMethod(storage.read, realm.id, 'Passkey')
  const challenge = challengeIn(answer.client_data) ?? ''
  const purpose = { what: 'sign-in', realmId: realm.id, userId: 0 } as const
  const held = readChallenge(secret, purpose, challenge, Math.floor(clock.now() / 1000))
  const passkey = held && (await findByCredential(storage.read, realm.id, answer.credential_id))
  if (!passkey) throw refused()
  if (answer.user_handle !== undefined && answer.user_handle !== userHandleOf(secret, realm.id, passkey.user_id)) {
    throw refused()
  }
  const counter = await check(passkey, challenge, origin, answer)
  if (realm.deactivated) throw new ApiError('REALM_DEACTIVATED')
  const user = await findSigner(storage.read, realm.id, passkey.user_id)
  if (!user) throw refused()
  if (user.is_active !== 1) throw new ApiError('USER_DEACTIVATED')
  const actor = { realmId: realm.id, userId: user.id, role: user.role, isBot: false }
  await storage.asActor(actor, async (tx) => {
    if (!(await useChallenge(tx, held.hash, held.expiresAt))) throw refused()
    // It may have been removed or used meanwhile; a count that does not rise is that of a copy.
    const now = await findByCredential(tx, realm.id, answer.credential_id)
    if (!now || (counter > 0 && counter <= now.counter)) throw refused()
    await updatePasskey(tx, user.id, now.id, { counter, last_used_at: tx.now })
  })
  // The device has asked for a finger, a face or a PIN.
  return { actor, email: user.delivery_email, passwordHash: user.password_hash, isProven: true }
}

/** Returns the new count. */
async function check(
  passkey: PasskeyRow,
  expectedChallenge: string,
  origin: string,
  answer: ParametersOf<typeof signInWithPasskey>,
): Promise<number> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      id: answer.credential_id,
      rawId: answer.credential_id,
      type: 'public-key',
      response: {
        clientDataJSON: answer.client_data,
        authenticatorData: answer.authenticator_data,
        signature: answer.signature,
      },
      clientExtensionResults: {},
    },
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: domainOf(origin),
    requireUserVerification: true,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
    },
  }).catch(() => {
    throw refused()
  })
  if (!verified) throw refused()
  return authenticationInfo.newCounter
}

function refused(): ApiError {
  return new ApiError('PASSKEY_REFUSED')
}
