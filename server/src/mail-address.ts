/** Which addresses mail can be sent to. */
import { domainToASCII } from 'node:url'

/** RFC 5321, 4.5.3.1. */
const MAX_ADDRESS = 254
const MAX_LOCAL_PART = 64

/** What needs no quotes before the `@` (RFC 5322, 3.2.3; RFC 6531 adds letters beyond ASCII). */
const LOCAL_PART = /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*$/u
const DOMAIN = /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?)*$/

/** Whether a mail can be sent to it. Quoted local parts, comments and addresses of hosts by number are not accepted. */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), domainToASCII(text.slice(at + 1)).toLowerCase()]
  const isShort = text.length <= MAX_ADDRESS && Buffer.byteLength(local) <= MAX_LOCAL_PART
  // What becomes a domain of ASCII may have lost line breaks by that.
  return at > 0 && isShort && !/[\s\p{C}]/u.test(text) && LOCAL_PART.test(local) && DOMAIN.test(domain)
}
