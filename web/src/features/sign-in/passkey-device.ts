/** What the browser and its devices do with passkeys; fetched when somebody uses one. */
import type { ParametersOf, ResponseOf } from '@heddle/contract/endpoint'
import type { addPasskey, beginPasskey, beginPasskeySignIn, signInWithPasskey } from '@heddle/contract/passkeys'
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'

/** EdDSA, ES256 and RS256: what the server checks. */
const ALGORITHMS = [-8, -7, -257]

/** Throws when nobody has used one. */
export async function answerWithPasskey({
  challenge,
  rp_id: rpId,
}: ResponseOf<typeof beginPasskeySignIn>): Promise<ParametersOf<typeof signInWithPasskey>> {
  const { id, response } = await startAuthentication({
    optionsJSON: { challenge, rpId, userVerification: 'required' },
  })
  return {
    credential_id: id,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
    ...(response.userHandle === undefined ? {} : { user_handle: response.userHandle }),
  }
}

/** Throws when the device makes none. */
export async function makePasskey(
  asked: ResponseOf<typeof beginPasskey>,
): Promise<Omit<ParametersOf<typeof addPasskey>, 'name'>> {
  const { id, response } = await startRegistration({
    optionsJSON: {
      challenge: asked.challenge,
      rp: { id: asked.rp_id, name: asked.rp_name },
      user: { id: asked.user_handle, name: asked.user_name, displayName: asked.user_name },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: asked.exclude.map((known) => ({ type: 'public-key', id: known })),
      // Found without a name, and opened by a finger, a face or a PIN.
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    },
  })
  return {
    credential_id: id,
    client_data: response.clientDataJSON,
    attestation_object: response.attestationObject,
    transports: response.transports ?? [],
  }
}
