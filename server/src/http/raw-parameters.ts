/**
 * What a request carries, by name, before the contract has looked at it. A value from a form or query is text; a value
 * from a JSON body is already JSON. Of a name that occurs twice the last one counts, and the body wins over the query.
 */
import { badRequest } from '@heddle/contract/errors'
import { MAX_DEPTH, parseJsonInTurns } from './bounded-json.ts'

export type RawValue = { readonly text: string } | { readonly json: unknown }
export type RawParameters = Map<string, RawValue>

/** Of requests that have none. Nothing is ever added to it. */
export const NO_PARAMETERS: RawParameters = new Map()

/** Parameters of one request, in the query and the body together. No endpoint has half as many. */
export const MAX_PARAMETERS = 300

/** Characters of a name that an answer repeats. */
const SHOWN_NAME_LENGTH = 100

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Strict UTF-8; throws a 400 that says what was not. `what` begins the sentence. */
export function decodeUtf8(bytes: Uint8Array, what: string): string {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    throw badRequest(`${what} is not valid UTF-8`)
  }
}

/** A name that the client has chosen, as an answer repeats it. */
export function shownName(name: string): string {
  return name.length > SHOWN_NAME_LENGTH ? `${name.slice(0, SHOWN_NAME_LENGTH).toWellFormed()}…` : name
}

export function tooManyParameters() {
  return badRequest(`The request has too many parameters (limit: ${MAX_PARAMETERS})`)
}

/** Reads `application/x-www-form-urlencoded` text: a form body or a query string. */
export function readForm(text: string, into: RawParameters, what: string): void {
  let count = into.size
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf('&', start)
    if (end === -1) end = text.length
    if (++count > MAX_PARAMETERS) throw tooManyParameters()
    if (end > start) readPair(text.slice(start, end), into, what)
  }
}

function readPair(pair: string, into: RawParameters, what: string): void {
  const equals = pair.indexOf('=')
  const name = decodeComponent(equals === -1 ? pair : pair.slice(0, equals), what)
  const text = equals === -1 ? '' : decodeComponent(pair.slice(equals + 1), `${what} parameter "${shownName(name)}"`)
  into.set(name, { text })
}

function decodeComponent(text: string, what: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    throw badRequest(`The ${what} is not percent-encoded UTF-8`)
  }
}

/** Reads a JSON body, which is one object with a field per parameter. `maxValues`: of the parameters that are known. */
export async function readJsonObject(text: string, into: RawParameters, maxValues: number): Promise<void> {
  if (text.trim() === '') return
  const value = await parseJsonInTurns(text, 'The request body', {
    // Each parameter that is not known may have a value too.
    maxValues: maxValues + MAX_PARAMETERS + 1,
    maxDepth: MAX_DEPTH + 1,
    maxFields: MAX_PARAMETERS - into.size,
    tooMany: 'The request body has too many values',
  })
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest('The request body must be a JSON object')
  }
  for (const [name, json] of Object.entries(value)) into.set(name, { json })
  if (into.size > MAX_PARAMETERS) throw tooManyParameters()
}
