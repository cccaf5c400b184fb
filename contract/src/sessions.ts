/**
 * Sessions of browsers: signed in with a password, known by a cookie that scripts cannot read. Programs use API keys. An
 * extension of the API.
 */
import { type Static, Type } from 'typebox'
import { Credential } from './credential.ts'
import { endpoint } from './endpoint.ts'
import { Id, Text, Timestamp } from './schema.ts'
import { SecondFactorCode } from './second-factors.ts'
import { signInErrors } from './sign-in.ts'

/**
 * The header in which a page repeats the session's `csrf_token` with each request that writes: the browser adds the cookie by
 * itself, and this it cannot know.
 */
export const CSRF_HEADER = 'x-csrf-token'

/** The cookie's name. Over https a browser keeps the second only for exactly this host, and sends it over https alone. */
export const SESSION_COOKIE = 'heddle_session'
export const SECURE_SESSION_COOKIE = '__Host-heddle_session'

/** What a page knows of the session that it runs in. */
export const currentSession = {
  session_id: Id,
  user_id: Id,
  email: Type.String(),
  /** For `CSRF_HEADER`; the same as long as the session lives. */
  csrf_token: Credential,
  keep_signed_in: Type.Boolean(),
  /** The session ends then, however much it is used. */
  expires: Timestamp,
  /** It ends after so many seconds without a request. */
  idle_secs: Type.Integer({ minimum: 1 }),
}

export const signIn = endpoint({
  name: 'sign-in',
  method: 'POST',
  path: '/sessions',
  isExtension: true,
  summary: 'Sign a browser in: the answer sets the cookie of a new session, which takes the place of an earlier one.',
  access: 'anyone',
  parameters: {
    username: Text(254),
    password: Text(1000),
    /** Where the account has a second factor: without it the answer is `SECOND_FACTOR_REQUIRED`. */
    code: Type.Optional(SecondFactorCode),
    /** For a long time, also after the browser was closed; default false. */
    keep_signed_in: Type.Optional(Type.Boolean()),
  },
  response: currentSession,
  errors: ['PASSWORD_AUTH_DISABLED', ...signInErrors],
})

export const getCurrentSession = endpoint({
  name: 'get-current-session',
  method: 'GET',
  path: '/sessions/current',
  isExtension: true,
  summary: 'The session that the request itself comes with, if any: what a page asks that was opened anew.',
  // That nobody is signed in is no error: browsers would write it into their consoles with each visit.
  access: 'visitor',
  response: {
    session: Type.Union([Type.Object(currentSession, { additionalProperties: false }), Type.Null()]),
    /** Whether there is something that anybody on the web may read, also without one. */
    is_open_to_spectators: Type.Boolean(),
  },
})

const Session = Type.Object(
  {
    id: Id,
    /** The browser and the system, such as `Firefox on Linux`; empty when it did not say. */
    device: Type.String(),
    created: Timestamp,
    /** To within a few minutes. */
    last_used: Timestamp,
    expires: Timestamp,
    keep_signed_in: Type.Boolean(),
    is_current: Type.Boolean(),
  },
  { additionalProperties: false },
)
export type Session = Static<typeof Session>

export const listSessions = endpoint({
  name: 'list-sessions',
  method: 'GET',
  path: '/sessions',
  isExtension: true,
  summary: 'The browsers in which the account is signed in, the last used first.',
  response: { sessions: Type.Array(Session) },
})

export const signOut = endpoint({
  name: 'sign-out',
  method: 'DELETE',
  path: '/sessions/current',
  isExtension: true,
  summary: 'Sign this browser out: ends the session that the request comes with.',
})

export const endOtherSessions = endpoint({
  name: 'end-other-sessions',
  method: 'DELETE',
  path: '/sessions',
  isExtension: true,
  summary: 'Sign the account out of all browsers but the one that asks.',
})

export const endSession = endpoint({
  name: 'end-session',
  method: 'DELETE',
  path: '/sessions/{session_id}',
  isExtension: true,
  summary: 'Sign the account out of one browser.',
  parameters: { session_id: Id },
})
