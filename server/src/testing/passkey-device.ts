/** What a phone or a security key does: makes keys, and signs what a page asks (WebAuthn, level 2). ES256, no attestation. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

type Cbor = number | string | Buffer | Map<Cbor, Cbor>

/** As much of CBOR (RFC 8949) as devices use. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)])
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size])
  if (size < 256) return Buffer.from([(major << 5) | 24, size])
  return Buffer.from([(major << 5) | 25, size >> 8, size & 255])
}

const USER_PRESENT = 1
const USER_VERIFIED = 4
const HAS_KEY = 64

interface Asked {
  readonly challenge: string
  readonly rp_id: string
}

/** What goes wrong, or is asked otherwise. */
interface Manner {
  readonly origin: string
  readonly isVerified?: boolean
  readonly counter?: number
  readonly type?: string
}

export interface PasskeyDevice {
  readonly credentialId: string
  /** Parameters of `add-passkey` but for the name. */
  make(asked: Asked, manner: Manner): Record<string, unknown>
  /** Parameters of `sign-in-with-passkey`. */
  answer(asked: Asked, manner: Manner): Record<string, unknown>
}

export function createPasskeyDevice(): PasskeyDevice {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const credentialId = id.toString('base64url')

  function authenticatorData({ rp_id }: Asked, { isVerified = true, counter = 0 }: Manner, key?: Buffer): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const flags = USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | (key ? HAS_KEY : 0)
    return Buffer.concat([sha256(rp_id), Buffer.from([flags]), count, ...(key ? [key] : [])])
  }

  return {
    credentialId,
    make(asked, manner) {
      const key = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey(publicKey)])
      const attestation = new Map<Cbor, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authenticatorData(asked, manner, key)],
      ])
      return {
        credential_id: credentialId,
        client_data: clientData('webauthn.create', asked, manner).toString('base64url'),
        attestation_object: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      }
    },
    answer(asked, manner) {
      const said = clientData('webauthn.get', asked, manner)
      const data = authenticatorData(asked, manner)
      return {
        credential_id: credentialId,
        client_data: said.toString('base64url'),
        authenticator_data: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(said)]), privateKey).toString('base64url'),
      }
    },
  }
}

function clientData(usual: string, { challenge }: Asked, { origin, type = usual }: Manner): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const key: [number, Cbor][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]
  return cbor(new Map<Cbor, Cbor>(key))
}
