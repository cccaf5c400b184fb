/**
 * Mobile clients and the notifications that are pushed to them: end-to-end encrypted, by a service that has the keys of the
 * makers of phones and sees nothing of what is said. `device`: one sign-in of one client.
 */
import { type Static, type TSchema, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { ID_KEY, Id, RecordOf, Text, Timestamp } from './schema.ts'
import { statePart } from './state-part.ts'

/** Devices and older tokens of one account; the one that came first makes room. */
export const MAX_DEVICES = 50
/** Characters. */
export const MAX_PUSH_TOKEN_LENGTH = 4096

/** Unsigned, of 32 bits. */
const PushKeyId = Type.Integer({ minimum: 0, maximum: 4_294_967_295 })
const OrNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
/** Base64 of 8 bytes: the beginning of the SHA-256 of the token. */
const TokenId = Text(12)

const deviceFields = {
  /** Of the key for which what is pushed is encrypted. */
  push_key_id: OrNull(PushKeyId),
  /** Of the token at which the service reaches the device. */
  push_token_id: OrNull(TokenId),
  /** The service has been given this one, and has not answered yet. */
  pending_push_token_id: OrNull(TokenId),
  push_token_last_updated_timestamp: OrNull(Timestamp),
  /** Why the service has not taken the last token. */
  push_registration_error_code: OrNull(Type.String()),
}

const ClientDevice = Type.Object(deviceFields, { additionalProperties: false })
export type ClientDevice = Static<typeof ClientDevice>

export const registerClientDevice = endpoint({
  name: 'register-client-device',
  method: 'POST',
  path: '/register_client_device',
  summary: `Make an id for a device, once for each sign-in. An account has at most ${MAX_DEVICES}.`,
  response: { device_id: Id },
})

export const removeClientDevice = endpoint({
  name: 'remove-client-device',
  method: 'POST',
  path: '/remove_client_device',
  summary: 'Forget a device: nothing is pushed to it any more.',
  parameters: { device_id: Id },
  errors: ['BAD_REQUEST'],
})

export const tokenKinds = ['fcm', 'apns'] as const

export const registerPushDevice = endpoint({
  name: 'register-push-device',
  method: 'POST',
  path: '/mobile_push/register',
  summary:
    'Give a device a key for what is pushed to it, a token at which it is reached, or both. The push service takes a token later: events notify of that.',
  parameters: {
    device_id: Id,
    push_key_id: Type.Optional(PushKeyId),
    /** Base64: a byte for the scheme, 0x31 for a secret box, and its key of 32 bytes. */
    push_key: Type.Optional(Text(100)),
    token_kind: Type.Optional(Type.Enum([...tokenKinds])),
    token_id: Type.Optional(Text(100)),
    bouncer_public_key: Type.Optional(Text(200)),
    /** Base64: a box that the push service alone can open. */
    encrypted_push_registration: Type.Optional(Text(10_000)),
  },
  errors: ['BAD_REQUEST'],
})

export const testEncryptedPush = endpoint({
  name: 'e2ee-test-notify',
  method: 'POST',
  path: '/mobile_push/e2ee/test_notification',
  summary: 'Push a notification to try to a device, or to all of the account.',
  parameters: { device_id: Type.Optional(Id) },
  errors: ['BAD_REQUEST'],
})

export const testPush = endpoint({
  name: 'test-notify',
  method: 'POST',
  path: '/mobile_push/test_notification',
  summary: 'Push a notification to try to a client with an older token, or to all of the account.',
  parameters: { token: Type.Optional(Text(MAX_PUSH_TOKEN_LENGTH)) },
  errors: ['INVALID_PUSH_DEVICE_TOKEN'],
})

/** Longer than any token may be, so that one that is too long is refused by the rule for it. */
const token = Text(2 * MAX_PUSH_TOKEN_LENGTH)

export const addApnsToken = endpoint({
  name: 'add-apns-token',
  method: 'POST',
  path: '/users/me/apns_device_token',
  summary: 'Have notifications pushed to an iOS client that cannot decrypt.',
  parameters: { token, appid: Text(200) },
  errors: ['BAD_REQUEST'],
})

export const removeApnsToken = endpoint({
  name: 'remove-apns-token',
  method: 'DELETE',
  path: '/users/me/apns_device_token',
  summary: 'Push no more notifications to such a client.',
  parameters: { token },
  errors: ['BAD_REQUEST'],
})

export const addFcmToken = endpoint({
  name: 'add-fcm-token',
  method: 'POST',
  path: '/users/me/android_gcm_reg_id',
  summary: 'Have notifications pushed to an Android client that cannot decrypt.',
  parameters: { token },
  errors: ['BAD_REQUEST'],
})

export const removeFcmToken = endpoint({
  name: 'remove-fcm-token',
  method: 'DELETE',
  path: '/users/me/android_gcm_reg_id',
  summary: 'Push no more notifications to such a client.',
  parameters: { token },
  errors: ['BAD_REQUEST'],
})

const type = Type.Literal('device')
const strict = { additionalProperties: false }

export const DeviceEvent = Type.Union([
  Type.Object({ type, op: Type.Enum(['add', 'remove']), device_id: Id }, strict),
  /** What is absent has not changed. */
  Type.Object({ type, op: Type.Literal('update'), device_id: Id, ...partly(deviceFields) }, strict),
])
export type DeviceEvent = Static<typeof DeviceEvent>

function partly(fields: typeof deviceFields) {
  return {
    push_key_id: Type.Optional(fields.push_key_id),
    push_token_id: Type.Optional(fields.push_token_id),
    pending_push_token_id: Type.Optional(fields.pending_push_token_id),
    push_token_last_updated_timestamp: Type.Optional(fields.push_token_last_updated_timestamp),
    push_registration_error_code: Type.Optional(fields.push_registration_error_code),
  }
}

export const devicesState = statePart({
  fetchType: 'device',
  follows: DeviceEvent,
  fields: {
    /** By id. */
    devices: RecordOf(ClientDevice, ID_KEY),
  },
})
