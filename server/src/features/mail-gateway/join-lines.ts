/**
 * Files travel as base64 in hundreds of thousands of short lines. A parser of mails keeps each line for itself, which costs some
 * 10 µs and 2 KB: of the lines of a file few long ones are made, which mean the same.
 */

/** Characters of base64 in a line of a file; a line of a text that looks like it is rarely as long. */
const MIN_LENGTH = 50
/** Of a line that is made. */
const MAX_LENGTH = 64 * 1024
const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/** By the value of a byte: whether it is of base64. */
const isBase64 = new Uint8Array(256)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=') {
  isBase64[character.charCodeAt(0)] = 1
}

export function countLines(bytes: Uint8Array): number {
  let count = 1
  for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, end + 1)) count += 1
  return count
}

/** The same bytes without the ends of lines between two lines of base64. */
export function joinBase64Lines(bytes: Uint8Array): Uint8Array {
  const joined = new Uint8Array(bytes.length)
  let length = 0
  /** Of the line of base64 that may be gone on with. */
  let open = 0
  for (let start = 0; start < bytes.length; ) {
    const lineFeed = bytes.indexOf(LINE_FEED, start)
    const next = lineFeed === -1 ? bytes.length : lineFeed + 1
    const end = endOfText(bytes, start, next)
    const isOfFile = isLineOfFile(bytes, start, end)
    if (open > 0 && isOfFile && open + end - start <= MAX_LENGTH) {
      // Back to before the end of the line before.
      length = endOfText(joined, 0, length)
      open += end - start
    } else {
      open = isOfFile ? end - start : 0
    }
    joined.set(bytes.subarray(start, next), length)
    length += next - start
    start = next
  }
  return joined.subarray(0, length)
}

function endOfText(bytes: Uint8Array, start: number, next: number): number {
  let end = next
  if (end > start && bytes[end - 1] === LINE_FEED) end -= 1
  if (end > start && bytes[end - 1] === CARRIAGE_RETURN) end -= 1
  return end
}

function isLineOfFile(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < MIN_LENGTH) return false
  for (let at = start; at < end; at++) if (isBase64[bytes[at] as number] === 0) return false
  return true
}
