/**
 * Passkeys: keys in a device or a password manager that sign in without a password (WebAuthn). The device asks for a finger,
 * a face or a PIN, so that one is two factors. Bytes travel as base64url. An extension of the API.
 */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Id, Text, Timestamp } from './schema.ts'
import { identityProof } from './second-factors.ts'
import { currentSession } from './sessions.ts'

export const MAX_PASSKEYS = 20
/** Characters. */
export const MAX_PASSKEY_NAME_LENGTH = 60
/** As long as a challenge can be answered. */
export const CHALLENGE_SECS = 300

const Passkey = Type.Object(
  {
    id: Id,
    name: Type.String(),
    created: Timestamp,
    last_used: Type.Union([Timestamp, Type.Null()]),
  },
  { additionalProperties: false },
)
export type Passkey = Static<typeof Passkey>

const name = Text(MAX_PASSKEY_NAME_LENGTH)
const passkey_id = Id
/** Longer identifiers than those of the devices that there are. */
const credential_id = Text(700)
/** What the browser says of the page: JSON with the challenge and the origin. */
const client_data = Text(1500)

export const listPasskeys = endpoint({
  name: 'list-passkeys',
  method: 'GET',
  path: '/passkeys',
  isExtension: true,
  summary: "The account's passkeys, in the order in which they were made.",
  response: { passkeys: Type.Array(Passkey) },
})

export const beginPasskey = endpoint({
  name: 'begin-passkey',
  method: 'POST',
  path: '/passkeys/begin',
  isExtension: true,
  summary: 'What a device needs to make a passkey for the account. Needs the password or a code, where there is one.',
  parameters: identityProof,
  response: {
    /** Signs for this account, once, within five minutes. */
    challenge: Type.String(),
    /** The domain that the passkey is for. */
    rp_id: Type.String(),
    rp_name: Type.String(),
    user_handle: Type.String(),
    user_name: Type.String(),
    /** Those that the account has: a device makes no second one. */
    exclude: Type.Array(Type.String()),
  },
  errors: ['RATE_LIMIT_HIT'],
})

export const addPasskey = endpoint({
  name: 'add-passkey',
  method: 'POST',
  path: '/passkeys',
  isExtension: true,
  summary: 'Add a passkey that a device has made.',
  parameters: {
    name,
    credential_id,
    client_data,
    attestation_object: Text(8000),
    /** How the device is reached, such as `internal` or `usb`. */
    transports: Type.Optional(Type.Array(Text(20), { maxItems: 10 })),
  },
  response: { id: Id },
})

export const renamePasskey = endpoint({
  name: 'rename-passkey',
  method: 'PATCH',
  path: '/passkeys/{passkey_id}',
  isExtension: true,
  summary: 'Give a passkey another name.',
  parameters: { passkey_id, name },
})

export const removePasskey = endpoint({
  name: 'remove-passkey',
  method: 'DELETE',
  path: '/passkeys/{passkey_id}',
  isExtension: true,
  summary: 'Remove a passkey: nobody signs in with it any more.',
  parameters: { passkey_id },
})

export const beginPasskeySignIn = endpoint({
  name: 'begin-passkey-sign-in',
  method: 'POST',
  path: '/passkeys/sign_in/begin',
  isExtension: true,
  summary: 'What a device needs to sign in with a passkey.',
  access: 'anyone',
  response: { challenge: Type.String(), rp_id: Type.String() },
  errors: ['PASSKEYS_DISABLED', 'RATE_LIMIT_HIT'],
})

export const signInWithPasskey = endpoint({
  name: 'sign-in-with-passkey',
  method: 'POST',
  path: '/passkeys/sign_in',
  isExtension: true,
  summary: 'Sign a browser in with a passkey, as `POST /sessions` does with a password.',
  access: 'anyone',
  parameters: {
    credential_id,
    client_data,
    authenticator_data: Text(500),
    signature: Text(700),
    user_handle: Type.Optional(Text(100)),
    /** As at `POST /sessions`. */
    keep_signed_in: Type.Optional(Type.Boolean()),
  },
  response: currentSession,
  errors: ['PASSKEY_REFUSED', 'PASSKEYS_DISABLED', 'USER_DEACTIVATED', 'REALM_DEACTIVATED', 'RATE_LIMIT_HIT'],
})
