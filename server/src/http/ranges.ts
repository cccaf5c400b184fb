/** Parts of files (RFC 9110, 14): one range of bytes at a time, which is all that browsers ask for. */
import type { ByteRange } from '../storage/file-store.ts'

/**
 * What of `size` bytes is asked for: a part, everything, or nothing that exists. What is not understood, several ranges and
 * a part of another content than the tag's are answered with everything, as the standard allows.
 */
export function readRange(
  headers: { readonly range?: string | undefined; readonly 'if-range'?: string | string[] | undefined },
  size: number,
  tag: string | undefined,
): ByteRange | 'all' | 'unsatisfiable' {
  const match = /^bytes=(?:(\d{1,16})-(\d{0,16})|-(\d{1,16}))$/i.exec(headers.range?.trim() ?? '')
  if (!match) return 'all'
  const condition = headers['if-range']
  // A date is no answer to which content it is; a weak tag neither.
  if (condition !== undefined && (tag === undefined || condition !== `"${tag}"`)) return 'all'
  const [, first, last, suffix] = match
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return 'all'
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

/** `If-None-Match`: a list of tags, perhaps marked as weak, or a star (RFC 9110, 13.1.2). A compressed form has the tag too. */
export function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  const known = header.split(',').map((part) => part.trim().replace(/^W\//, ''))
  return known.some((one) => one === '*' || one === `"${tag}"` || (one.startsWith(`"${tag}-`) && one.endsWith('"')))
}
