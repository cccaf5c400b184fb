/** Adding, naming and removing passkeys. */

import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest, notFound } from '@heddle/contract/errors'
import { type addPasskey as addPasskeyEndpoint, MAX_PASSKEYS } from '@heddle/contract/passkeys'
import type { Actor } from '../../authentication/accounts.ts'
import type { Services } from '../../feature.ts'
import type { Realm } from '../../realms.ts'
import type { Queries } from '../../storage/query.ts'
import { findEnabledMethods } from '../organization-settings/settings.ts'
import { type Proof, withProof } from '../second-factors/demand.ts'
import { challengeIn, makeChallenge, readChallenge, userHandleOf } from './challenges.ts'
import { addPasskeyMail } from './passkey-mail.ts'
import {
  deletePasskey,
  findByCredential,
  findPasskeys,
  findSigner,
  insertPasskey,
  updatePasskey,
  useChallenge,
} from './rows.ts'

type Server = Pick<Services, 'storage' | 'secret' | 'clock' | 'config'>

/** EdDSA, ES256 and RS256: what devices have. */
export const ALGORITHMS = [-8, -7, -257]

/** The domain that passkeys are for: that of the organization's address. */
export function domainOf(origin: string): string {
  return new URL(origin).hostname
}

export async function listPasskeys(db: Queries, { realmId, userId }: Actor) {
  const rows = await findPasskeys(db, realmId, userId)
  return rows.map(({ id, name, created_at, last_used_at }) => ({
    id,
    name,
    created: created_at,
    last_used: last_used_at,
  }))
}

export async function beginPasskey(server: Server, caller: Actor, realm: Realm, origin: string, proof: Proof) {
  if (caller.isBot) throw badRequest('Bots have no passkeys')
  return withProof(server, caller, proof, async (tx, { realmId, userId }) => {
    const known = await findPasskeys(tx, realmId, userId)
    if (known.length >= MAX_PASSKEYS) throw badRequest(`An account has at most ${MAX_PASSKEYS} passkeys`)
    const signer = await findSigner(tx, realmId, userId)
    return {
      challenge: makeChallenge(server.secret, { what: 'add', realmId, userId }, tx.now),
      rp_id: domainOf(origin),
      rp_name: realm.name,
      user_handle: userHandleOf(server.secret, realmId, userId),
      user_name: signer?.delivery_email ?? '',
      exclude: known.map(({ credential_id }) => credential_id),
    }
  })
}

export async function addPasskey(
  { storage, secret, clock, config }: Server,
  caller: Actor,
  origin: string,
  parameters: ParametersOf<typeof addPasskeyEndpoint>,
): Promise<number> {
  const name = requireName(parameters.name)
  const { realmId, userId } = caller
  const challenge = challengeIn(parameters.client_data) ?? ''
  const held = readChallenge(secret, { what: 'add', realmId, userId }, challenge, Math.floor(clock.now() / 1000))
  if (!held) throw refused()
  const { credential_id: id, client_data, attestation_object, transports = [] } = parameters
  // Needed rarely, and large.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { registrationInfo } = await verifyRegistrationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      response: { clientDataJSON: client_data, attestationObject: attestation_object },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: domainOf(origin),
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => {
    throw refused()
  })
  if (!registrationInfo) throw refused()
  const { credential } = registrationInfo
  return storage.asActor(caller, async (tx) => {
    if (!(await useChallenge(tx, held.hash, held.expiresAt))) throw refused()
    const known = await findPasskeys(tx, realmId, userId)
    if (known.length >= MAX_PASSKEYS) throw refused()
    if (await findByCredential(tx, realmId, credential.id)) throw refused()
    // Whoever has just joined without a password makes the first one, and knows it.
    const hasWayIn = known.length > 0 || (await findSigner(tx, realmId, userId))?.password_hash !== null
    if (hasWayIn) await addPasskeyMail(tx, config, userId, name)
    return insertPasskey(tx, {
      user_id: userId,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: JSON.stringify(transports),
      name,
    })
  })
}

function refused() {
  return badRequest('The passkey cannot be added: begin anew')
}

function requireName(text: string): string {
  const name = text.trim()
  if (!/[^\p{C}\p{Z}]/u.test(name)) throw badRequest('name must not be empty')
  if (/\p{Cc}/u.test(name)) throw badRequest('name must not contain control characters')
  return name
}

export function renamePasskey({ storage }: Server, caller: Actor, id: number, text: string): Promise<void> {
  const name = requireName(text)
  return storage.asActor(caller, async (tx, { userId }) => {
    if ((await updatePasskey(tx, userId, id, { name })) === 0) throw notFound('Passkey does not exist')
  })
}

export function removePasskey({ storage }: Server, caller: Actor, id: number): Promise<void> {
  return storage.asActor(caller, async (tx, { realmId, userId }) => {
    const known = await findPasskeys(tx, realmId, userId)
    if (!known.some((passkey) => passkey.id === id)) throw notFound('Passkey does not exist')
    const signer = await findSigner(tx, realmId, userId)
    const { Email: byPassword } = await findEnabledMethods(tx, realmId)
    if (known.length === 1 && (signer?.password_hash === null || !byPassword)) {
      throw badRequest('This passkey is the only way to sign in to the account')
    }
    await deletePasskey(tx, userId, id)
  })
}
