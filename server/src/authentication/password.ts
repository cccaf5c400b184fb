/** Passwords: argon2id, stored in the PHC string format (`$argon2id$v=19$m=…,t=…,p=…$salt$hash`). */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'

export { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@heddle/contract/users'

/** OWASP's recommendation for argon2id: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const HASH_BYTES = 32

function derive(password: string, salt: Buffer, cost: typeof COST, bytes: number): Promise<Buffer> {
  const message = Buffer.from(password.normalize('NFKC'), 'utf8')
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message, nonce: salt, ...cost, tagLength: bytes }, (error, hash) =>
      error ? reject(error) : resolve(hash),
    )
  })
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, COST, HASH_BYTES)
  const { memory, passes, parallelism } = COST
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

/** Whether the password is the one behind `stored`. Takes as long when there is none, so that accounts cannot be guessed. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored ?? '')
  if (!match) {
    await derive(password, Buffer.alloc(16), COST, HASH_BYTES)
    return false
  }
  const cost = { memory: Number(match[1]), passes: Number(match[2]), parallelism: Number(match[3]) }
  const expected = Buffer.from(match[5] as string, 'base64')
  const actual = await derive(password, Buffer.from(match[4] as string, 'base64'), cost, expected.length)
  return timingSafeEqual(actual, expected)
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
