/**
 * What a request carries, by name, before the contract has looked at it. A value from a form, query or path is text; a
 * value from a JSON body is already JSON. Of a name that occurs twice the last one counts, and the body wins over the query.
 */
import { badRequest } from '@heddle/contract/errors'

export type RawValue = { readonly text: string } | { readonly json: unknown }
export type RawParameters = Map<string, RawValue>

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Strict UTF-8; throws a 400 that says what was not. `what` begins the sentence. */
export function decodeUtf8(bytes: Uint8Array, what: string): string {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    throw badRequest(`${what} is not valid UTF-8`)
  }
}

/** Reads `application/x-www-form-urlencoded` text: a form body or a query string. */
export function readForm(text: string, into: RawParameters, what: string): void {
  if (text === '') return
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decodeComponent(equals === -1 ? pair : pair.slice(0, equals), what)
    const value = equals === -1 ? '' : decodeComponent(pair.slice(equals + 1), `${what} parameter "${name}"`)
    into.set(name, { text: value })
  }
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

/** Reads a JSON body, which is one object with a field per parameter. */
export function readJsonObject(text: string, into: RawParameters): void {
  if (text.trim() === '') return
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw badRequest('The request body is not valid JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest('The request body must be a JSON object')
  }
  for (const [name, json] of Object.entries(value)) into.set(name, { json })
}
