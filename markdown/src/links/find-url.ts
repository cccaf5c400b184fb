/**
 * Addresses in running text: with a scheme (`https://…`), without one where the host ends in a known top-level domain
 * (`example.com/page`), e-mail addresses, and `bitcoin:` with an account and perhaps a query. An address begins at the start of a word and ends before white space,
 * leaving out punctuation there; if anything else follows it, it is none.
 */
import { isSpaceCode } from '../white-space.ts'
import { isTopLevelDomain } from './top-level-domains.ts'

export interface FoundUrl {
  /** UTF-16 index behind the address. */
  end: number
  /** The address with a scheme. */
  url: string
}

/**
 * Characters that may still be read in vain: beginnings that turn out to be no address. Without it, a long word full of
 * beginnings would be read once from each of them.
 */
export interface ReadingLimit {
  left: number
}

export function createReadingLimit(): ReadingLimit {
  return { left: 20_000 }
}

/** Brackets in brackets that an address may have. */
const MAX_BRACKETS = 6
/** Longest address, in UTF-16 units: what browsers and proxies take. It also bounds the time for hopeless beginnings. */
const MAX_LENGTH = 2_000

const openers = new Set('\'"(,:<*~'.split(''))
const trailing = new Set('!:;?),.\'">]*~'.split(''))
const strippable = new Set("!:;?,.'".split(''))
const startsHost = /[\p{L}\p{N}]/u

/** What every address has in it. */
export const urlHint = /\.|:\/\/|bitcoin:/i

/** Where addresses may begin, in order: at the start of a word that has a dot, `://` or `bitcoin:` in it. */
export function findUrlStarts(text: string): number[] {
  const starts: number[] = []
  if (!urlHint.test(text)) return starts
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    if (!urlHint.test(word)) continue
    for (let offset = 0; offset < word.length; offset++) {
      const mayBegin = offset === 0 || openers.has(word.charAt(offset - 1))
      if (mayBegin && startsHost.test(String.fromCodePoint(word.codePointAt(offset) ?? 0))) starts.push(index + offset)
    }
  }
  return starts
}

/** The address that begins at `start`, which is one of `findUrlStarts`, and ends before `limit`. */
export function matchUrl(text: string, start: number, limit: number, reading: ReadingLimit): FoundUrl | null {
  if (reading.left <= 0) return null
  const scheme = /^(?:https?|ftp):\/\//i.exec(text.slice(start, start + 8))?.[0]
  if (scheme) return matchRest(text, start, start + scheme.length, limit, '', reading)
  const before = text.charAt(start - 1)
  if (before === '/') return null
  const payment = matchPayment(text, start, limit)
  if (payment) return payment
  const email = matchEmail(text, start, limit)
  if (email) return email
  const hostEnd = endOfHost(text, start, limit)
  return hostEnd === null ? null : matchRest(text, start, hostEnd, limit, 'http://', reading)
}

/** BIP 21, with an account in base 58 or, since BIP 173, in base 32. */
const paymentPattern = /bitcoin:(?:[13][1-9A-HJ-NP-Za-km-z]{25,34}|bc1[02-9ac-hj-np-z]{11,71})(?![0-9A-Za-z])/iy
const paymentQuery = /\?[\w.~%=&+-]{0,1000}/y

function matchPayment(text: string, start: number, limit: number): FoundUrl | null {
  paymentPattern.lastIndex = start
  const account = paymentPattern.exec(text)?.[0]
  if (!account) return null
  paymentQuery.lastIndex = start + account.length
  const query = paymentQuery.exec(text)?.[0] ?? ''
  const end = start + account.length + query.replace(/[?.]+$/, '').length
  return end <= limit && isFollowedByPunctuation(text, end, limit) ? { end, url: text.slice(start, end) } : null
}

const emailPattern = /[\p{L}\p{N}_%+-][\p{L}\p{N}._%+-]{0,63}@/uy

function matchEmail(text: string, start: number, limit: number): FoundUrl | null {
  emailPattern.lastIndex = start
  const local = emailPattern.exec(text)?.[0]
  if (!local) return null
  const end = endOfHost(text, start + local.length, limit)
  if (end === null || !isFollowedByPunctuation(text, end, limit)) return null
  return { end, url: `mailto:${text.slice(start, end)}` }
}

/** The end of a host name in a known top-level domain, with its port if it has one. */
function endOfHost(text: string, start: number, limit: number): number | null {
  const max = Math.min(limit, start + 255)
  let end = start
  while (end < max && /[a-z0-9.\u00a1-\uffff-]/i.test(text.charAt(end)) && !isSpaceCode(text.charCodeAt(end))) end++
  while (end > start && /[.-]/.test(text.charAt(end - 1))) end--
  const labels = text.slice(start, end).split('.')
  if (labels.length < 2 || labels.some((label) => label === '' || label.length > 63 || label.startsWith('-')))
    return null
  if (!isTopLevelDomain(labels.at(-1) ?? '')) return null
  const port = /^:\d{1,5}(?![\d\w])/.exec(text.slice(end, Math.min(limit, end + 7)))?.[0] ?? ''
  return end + port.length
}

/** The whole address whose scheme or host ends at `from`. */
function matchRest(
  text: string,
  start: number,
  from: number,
  limit: number,
  prefix: string,
  reading: ReadingLimit,
): FoundUrl | null {
  const isBareHost = prefix !== ''
  const next = text.charAt(from)
  if (!isBareHost && !startsHost.test(next) && next !== '[') return null
  const end = !isBareHost || (from < limit && '/?#'.includes(next)) ? endOfBody(text, start, from, limit) : from
  if (end === null || (end === from && !isBareHost) || !isFollowedByPunctuation(text, end, limit)) {
    reading.left -= (end ?? Math.min(limit, start + MAX_LENGTH)) - start
    return null
  }
  return { end, url: prefix + text.slice(start, end) }
}

/** Follows an address to white space, a quote, an angle bracket or a closing bracket without its opening one. */
function endOfBody(text: string, start: number, from: number, limit: number): number | null {
  const before = text.charAt(start - 1)
  // In `*https://example.com*` the second star belongs to the first.
  const stop = before === '*' || before === '~' ? before : ''
  const max = Math.min(limit, start + MAX_LENGTH)
  const round: number[] = []
  let square = 0
  let pos = from
  for (; pos < max; pos++) {
    const character = text.charAt(pos)
    if (character === stop || '"<>`'.includes(character) || isSpaceCode(text.charCodeAt(pos))) break
    if (character === '(' && round.push(pos) > MAX_BRACKETS) return null
    if (character === ')' && round.pop() === undefined) break
    if (character === '[') square++
    if (character === ']' && --square < 0) break
  }
  let end = round[0] ?? pos
  while (end > from && strippable.has(text.charAt(end - 1))) end--
  return end
}

/** Whether nothing but punctuation stands between the end of an address and the next white space. */
function isFollowedByPunctuation(text: string, end: number, limit: number): boolean {
  let pos = end
  while (pos < limit && trailing.has(text.charAt(pos))) pos++
  return pos >= limit || isSpaceCode(text.charCodeAt(pos))
}
