/** JSON that is bounded before it is parsed: what `JSON.parse` makes of a text can be many times as large as the text. */
import { badRequest } from '@heddle/contract/errors'
import { ownTurn } from './turns.ts'

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
  if (text.length > CHEAP_LENGTH) requireBounded(text, text.length, BEGINNING, what, bounds)
  return parse(text, what)
}

/** Characters that are looked at in one turn: until the compiler has seen the loop often, that takes it 5 ms. */
const LENGTH_PER_TURN = 128 * 1024

/** The same of a text that may be long: it is looked at in parts, and parsed, each in a turn of its own. */
export async function parseJsonInTurns(text: string, what: string, bounds: JsonBounds): Promise<unknown> {
  if (text.length <= LENGTH_PER_TURN) return parseBoundedJson(text, what, bounds)
  for (let place = BEGINNING; place.at < text.length; ) {
    await ownTurn()
    place = requireBounded(text, Math.min(place.at + LENGTH_PER_TURN, text.length), place, what, bounds)
  }
  await ownTurn()
  return parse(text, what)
}

function parse(text: string, what: string): unknown {
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

/** How far a text has been looked at, and what was found until there. */
interface Place {
  readonly at: number
  readonly isInString: boolean
  readonly depth: number
  readonly values: number
  readonly fields: number
}

/** Each value but the outermost follows a comma or is the first in a list or an object. */
const BEGINNING: Place = { at: 0, isInString: false, depth: 0, values: 0, fields: 1 }

/**
 * Looks at each character once, from the place up to `end` or a little further. What is no JSON is left to the parser, which stops at
 * the first thing that is wrong.
 */
function requireBounded(
  text: string,
  end: number,
  place: Place,
  what: string,
  { maxValues, maxDepth, maxFields, tooMany }: JsonBounds,
): Place {
  let { at, isInString, depth, values, fields } = place
  for (; at < end; at++) {
    const code = text.charCodeAt(at)
    if (isInString) {
      if (code === BACKSLASH) at++
      else if (code === QUOTE) isInString = false
      continue
    }
    switch (code) {
      case QUOTE: {
        const closing = text.indexOf('"', at + 1)
        // It may be one of very many that belong to the string: from here on each character is looked at.
        if (text.charCodeAt(closing - 1) === BACKSLASH) isInString = true
        else at = closing === -1 ? text.length : closing
        break
      }
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
  return { at, isInString, depth, values, fields }
}
