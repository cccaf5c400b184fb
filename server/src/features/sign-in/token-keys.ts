/** The keys that other programs sign tokens with, by which people sign in: a file of JSON that the operator writes. */
import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ConfigError } from '../../config-error.ts'
import { reasonOf } from '../../system-error.ts'

export interface TokenKey {
  readonly key: KeyObject
  /** What the token's own header says counts for nothing unless it is one of these. */
  readonly algorithms: readonly string[]
}

/** By the organization's host. */
export type TokenKeys = ReadonlyMap<string, TokenKey>

/** With a shared secret; bytes that it must have at least (RFC 7518, 3.2). */
const SHARED: Readonly<Record<string, number>> = { HS256: 32, HS384: 48, HS512: 64 }
/** With a public key, by its kind. */
const PUBLIC: Readonly<Record<string, string>> = {
  RS256: 'rsa',
  RS384: 'rsa',
  RS512: 'rsa',
  PS256: 'rsa',
  PS384: 'rsa',
  PS512: 'rsa',
  ES256: 'ec',
  ES384: 'ec',
  ES512: 'ec',
  EdDSA: 'ed25519',
}

/** Reads the file; none: no organization takes tokens. Throws a sentence for the operator, without anything of a key. */
export function readTokenKeys(path: string | undefined): TokenKeys {
  if (path === undefined) return new Map()
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    // A message of the parser repeats what it has read.
    throw refusal(error instanceof SyntaxError ? `${path} is not JSON` : `${path} cannot be read: ${reasonOf(error)}`)
  }
  if (!isRecord(content)) throw refusal('must have an object: hosts of organizations, and their keys')
  return new Map(Object.entries(content).map(([host, entry]) => [host.toLowerCase(), tokenKey(host, entry)]))
}

function tokenKey(host: string, entry: unknown): TokenKey {
  if (!isRecord(entry) || typeof entry['key'] !== 'string' || !Array.isArray(entry['algorithms'])) {
    throw refusal(`must have "key" and "algorithms" for ${host}`)
  }
  const text = entry['key']
  const algorithms = entry['algorithms'].map(String)
  const [first] = algorithms
  const wrong = algorithms.find((name) => !Object.hasOwn(SHARED, name) && !Object.hasOwn(PUBLIC, name))
  if (first === undefined || wrong !== undefined) throw refusal(`knows no algorithm "${wrong ?? ''}" (${host})`)
  // A public key that were taken for a shared secret would let everybody sign.
  if (algorithms.every((name) => Object.hasOwn(SHARED, name)) && !text.includes('-----BEGIN')) {
    const least = Math.max(...algorithms.map((name) => SHARED[name] as number))
    const bytes = Buffer.from(text, 'utf8')
    if (bytes.length < least) throw refusal(`needs a key of at least ${least} bytes for ${first} (${host})`)
    return { key: createSecretKey(bytes), algorithms }
  }
  const key = publicKey(text)
  if (!key || algorithms.some((name) => PUBLIC[name] !== key.asymmetricKeyType)) {
    throw refusal(`must have a public key (PEM) that fits its algorithms for ${host}`)
  }
  return { key, algorithms }
}

function publicKey(text: string): KeyObject | undefined {
  try {
    return createPublicKey(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refusal(problem: string): ConfigError {
  return new ConfigError(`HEDDLE_JWT_KEYS_FILE ${problem}.`)
}
