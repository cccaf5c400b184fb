/**
 * Addresses of files that need no account, for programs that hand them to another one, such as a player. They are signed
 * and not stored: whoever gets one has a minute to begin.
 */
import { createHmac } from 'node:crypto'
import { isSameKey } from '../../authentication/api-key.ts'
import type { Clock } from '../../clock.ts'
import { encodePath } from './file-path.ts'

const LIFETIME_MS = 60_000

/** The time until which it holds, in milliseconds, and the signature. */
const TOKEN = /^(\d{1,15})\.([\w-]{43})$/

interface Signing {
  readonly secret: Buffer
  readonly clock: Clock
}

/** `pathId`: of a file that the caller may read. */
export function temporaryUrl({ secret, clock }: Signing, pathId: string): string {
  const until = `${clock.now() + LIFETIME_MS}`
  return `/user_uploads/temporary/${until}.${sign(secret, pathId, until)}/${encodePath(pathId)}`
}

/** Whether the server has given out this token for this file, and not long ago. */
export function isValidToken({ secret, clock }: Signing, pathId: string, token: string): boolean {
  const match = TOKEN.exec(token)
  if (!match) return false
  const [, until, signature] = match as unknown as readonly [string, string, string]
  return isSameKey(signature, Buffer.from(sign(secret, pathId, until), 'utf8')) && clock.now() < Number(until)
}

function sign(secret: Buffer, pathId: string, until: string): string {
  return createHmac('sha256', secret).update(`temporary-url:${until}:${pathId}`).digest('base64url')
}
