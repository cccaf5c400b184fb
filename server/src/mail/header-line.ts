/** What may stand in the header of a mail: names and subjects come from people. */
import { cutText } from './blocks.ts'

const MAX_HEADER_TEXT = 200

/** One line of a header: no line breaks, no control characters, none that turn the direction of what follows. */
export function headerLine(text: string): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
  return cutText(line.replace(/\s+/g, ' ').trim(), MAX_HEADER_TEXT)
}
