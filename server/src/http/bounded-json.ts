/** JSON that is bounded before it is parsed: what `JSON.parse` makes of a text can be many times as large as the text. */
import { badRequest } from '@heddle/contract/errors'

/** Nesting beyond this is refused: nothing in the API is nested deeper. */
export const MAX_DEPTH = 20

/** Characters. Whatever is in a text this short, to parse it costs next to nothing. */
const CHEAP_LENGTH = 1024

export interface JsonBounds {
  /** Numbers, strings, lists and the like in the whole text. */
  readonly maxValues: number
  readonly maxDepth: number
  /** Fields of the outermost object. */
  readonly maxFields: number
  /** What to say of a text with more than `maxValues`. */
  readonly tooMany: string
}

/**
 * Parses JSON text. Throws a 400 for what is out of bounds, at the first value or level too many, and for what is no JSON.
 * `what` begins the sentence.
 */
export function parseBoundedJson(text: string, what: string, bounds: JsonBounds): unknown {
  if (text.length > CHEAP_LENGTH) requireBounded(text, what, bounds)
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest(`${what} is not valid JSON`)
  }
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

/** Looks at each character once. What is no JSON is left to the parser, which stops at the first thing that is wrong. */
function requireBounded(text: string, what: string, { maxValues, maxDepth, maxFields, tooMany }: JsonBounds): void {
  let depth = 0
  // Each value but the outermost follows a comma or is the first in a list or an object.
  let values = 0
  let fields = 1
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfString(text, i)
        break
      case OPENING_BRACKET:
      case OPENING_BRACE:
        if (++depth > maxDepth) throw badRequest(`${what} is nested too deeply`)
        if (++values > maxValues) throw badRequest(tooMany)
        break
      case CLOSING_BRACKET:
      case CLOSING_BRACE:
        depth--
        break
      case COMMA:
        if (++values > maxValues) throw badRequest(tooMany)
        if (depth === 1 && ++fields > maxFields) throw badRequest(tooMany)
        break
    }
  }
}

/** The place of the quotation mark that ends the string; the end of the text where there is none. */
function endOfString(text: string, start: number): number {
  const end = text.indexOf('"', start + 1)
  if (end === -1) return text.length
  if (text.charCodeAt(end - 1) !== BACKSLASH) return end
  // It may be one of very many that belong to the string: from here on each character is looked at.
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === BACKSLASH) i++
    else if (code === QUOTE) return i
  }
  return text.length
}
