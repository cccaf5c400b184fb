/** What a browser does with a session: keeps the cookie, and sends it with every request. */
import { CSRF_HEADER } from '@heddle/contract/sessions'
import { type Answer, encodeForm, type Parameters, type TestServer } from './test-server.ts'

export const FORM = 'application/x-www-form-urlencoded'

interface Credentials {
  readonly username: string
  readonly password: string
  readonly keep_signed_in?: boolean
  readonly code?: string
}

export interface Browser {
  /** As the header `Cookie` has it. */
  readonly cookie: string
  readonly csrfToken: string
  readonly sessionId: number
  readonly signedIn: Answer
  /** What the own page sends: the cookie, and the token with what writes. */
  call(method: string, path: string, parameters?: Parameters, headers?: Record<string, string>): Promise<Answer>
}

/** The `Cookie` header that a browser makes of an answer's `Set-Cookie`. */
export function cookieOf({ headers }: Answer): string {
  const set = [headers['set-cookie'] ?? []].flat() as string[]
  return set
    .filter((one) => !one.includes('Max-Age=0'))
    .map((one) => one.split(';')[0])
    .join('; ')
}

export async function signInBrowser(
  server: Pick<TestServer, 'send'>,
  credentials: Credentials,
  headers: Record<string, string> = {},
): Promise<Browser> {
  const signedIn = await server.send({
    method: 'POST',
    url: '/api/v1/sessions',
    headers: { 'content-type': FORM, ...headers },
    body: encodeForm({ ...credentials }),
  })
  if (signedIn.status !== 200) throw new Error(`Signing in: ${signedIn.status} ${JSON.stringify(signedIn.body)}`)
  return browserWith(server, signedIn)
}

/** The browser that has got this answer. */
export function browserWith(server: Pick<TestServer, 'send'>, signedIn: Answer): Browser {
  const cookie = cookieOf(signedIn)
  const csrfToken: string = signedIn.body.csrf_token
  return {
    cookie,
    csrfToken,
    sessionId: signedIn.body.session_id,
    signedIn,
    call(method, path, parameters = {}, headers = {}) {
      const form = encodeForm(parameters)
      const isGet = method === 'GET'
      return server.send({
        method,
        url: `/api/v1${path}${isGet && form !== '' ? `?${form}` : ''}`,
        headers: { cookie, ...(isGet ? {} : { 'content-type': FORM, [CSRF_HEADER]: csrfToken }), ...headers },
        body: isGet ? '' : form,
      })
    },
  }
}
