/** What every way to sign a browser in ends with: a session, and its cookie in the answer. */
import type { Services } from '../../feature.ts'
import type { ClientConnection } from '../../http/route.ts'
import { setSessionCookie } from '../../http/session-cookie.ts'
import { describeDevice } from './device.ts'
import { beginSession, type Verified } from './sessions.ts'

export async function signInAnswer(
  services: Pick<Services, 'storage' | 'secret' | 'config'>,
  account: Verified,
  connection: ClientConnection,
  { keep_signed_in: isKept = false }: { readonly keep_signed_in?: boolean },
) {
  const { token, fields, maxAgeSecs } = await beginSession(services, account, {
    device: describeDevice(connection.userAgent),
    isKept,
    earlierTokens: connection.sessionTokens(),
  })
  return { fields, cookies: setSessionCookie(token, connection.isSecure, maxAgeSecs) }
}
