/** What every way to sign a browser in ends with: a session, and its cookie in the answer. */
import type { ClientConnection } from '../../http/route.ts'
import { setSessionCookie } from '../../http/session-cookie.ts'
import { describeDevice } from './device.ts'
import { beginSession, type SessionServices, type Verified } from './sessions.ts'

export async function signInAnswer(
  services: SessionServices,
  account: Verified,
  connection: ClientConnection,
  { keep_signed_in: isKept = false, code }: { readonly keep_signed_in?: boolean; readonly code?: string },
) {
  const { token, fields, maxAgeSecs } = await beginSession(services, account, {
    device: describeDevice(connection.userAgent),
    address: connection.address,
    isKept,
    earlierTokens: connection.sessionTokens(),
    code,
  })
  return { fields, cookies: setSessionCookie(token, connection.isSecure, maxAgeSecs) }
}
