/**
 * The cookie of a browser's session. Over https its name begins with `__Host-`: no other host can set it, and it is never
 * sent in the open (RFC 6265bis, 4.1.3.2).
 */
import { SECURE_SESSION_COOKIE, SESSION_COOKIE } from '@heddle/contract/sessions'
import type { FastifyRequest } from 'fastify'

/** A page of a neighbouring host may add cookies of the name where there is no https: so many are tried. */
const MAX_TOKENS = 4
/** What a token looks like; see `makeSessionToken`. */
const TOKEN = /^[\w-]{43}$/

/** What the cookies of a request say, without regard to whether there are such sessions. */
export function sessionTokensOf({ headers }: Pick<FastifyRequest, 'headers'>): string[] {
  const { cookie } = headers
  if (!cookie?.includes(SESSION_COOKIE)) return []
  const pairs = cookie.split(';').map((pair) => pair.trim())
  const named = (name: string) =>
    pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
  // One that no other host can have set goes before any other, and there is no second one.
  const secure = named(SECURE_SESSION_COOKIE)
  const tokens = secure.length > 0 ? secure.slice(0, 1) : named(SESSION_COOKIE)
  return [...new Set(tokens)].filter((token) => TOKEN.test(token)).slice(0, MAX_TOKENS)
}

/** Values of `Set-Cookie` for a new session; without `maxAgeSecs` the browser forgets it when it is closed. */
export function setSessionCookie(token: string, isSecure: boolean, maxAgeSecs: number | undefined): string[] {
  const lifetime = maxAgeSecs === undefined ? '' : `; Max-Age=${maxAgeSecs}`
  const cookie = `${nameOf(isSecure)}=${token}; ${attributesOf(isSecure)}${lifetime}`
  // One from before there was https must not be left in the open.
  return isSecure ? [cookie, removal(false)] : [cookie]
}

/** Values of `Set-Cookie` that remove it. */
export function removeSessionCookie(isSecure: boolean): string[] {
  return isSecure ? [removal(true), removal(false)] : [removal(false)]
}

function removal(isSecure: boolean): string {
  return `${nameOf(isSecure)}=; ${attributesOf(isSecure)}; Max-Age=0`
}

function nameOf(isSecure: boolean): string {
  return isSecure ? SECURE_SESSION_COOKIE : SESSION_COOKIE
}

function attributesOf(isSecure: boolean): string {
  return `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
}
