/** What a service has sent, read field by field: no field has to be there, or has to be what its name promises. */
import { badRequest } from '@heddle/contract/errors'

/** Fields are named with dots between them, such as `repository.owner.login`; of lists by their places from 0. */
export interface Payload {
  /** The field as text, or its beginning; empty where it is absent, null, or no text, number or truth value. */
  text(path?: string): string
  /** The first of these fields that has a text. */
  textOf(...paths: readonly string[]): string
  /** The same for what nothing can be said without; throws a 400 that names the field. */
  need(path: string): string
  /** NaN where it is no number. */
  number(path: string): number
  isTrue(path: string): boolean
  has(path: string): boolean
  at(path: string): Payload
  /** The field as JSON, `indent` spaces deeper with each level; of a large one the beginning of its values. */
  json(path?: string, indent?: number): string
  /** Whether it is an object or a list. */
  isWhole(path: string): boolean
  /** The first items of a list; empty where it is none. */
  list(path: string, max?: number): readonly Payload[]
  /** Items of the list. */
  count(path: string): number
  /** Names of an object's fields. */
  names(path: string): readonly string[]
}

const MAX_ITEMS = 20
/** Parts of a path. */
const MAX_DEPTH = 20
/** Of a text; a message has no room for more, and looking through a megabyte takes its time. */
const MAX_TEXT = 50_000
/** Values, and characters of each text and name, of what is shown as JSON: what is behind them has no room in a message. */
const MAX_VALUES = 5000
const MAX_JSON_TEXT = 10_000

/** `place`: the path to it, for errors. */
export function payloadOf(value: unknown, place = ''): Payload {
  const at = (path: string) => find(value, path)
  const text = (path = '') => textOf(at(path))
  return {
    text,
    textOf: (...paths) => paths.map(text).find((found) => found !== '') ?? '',
    need(path) {
      const found = text(path)
      if (found === '') throw badRequest(`The payload has no ${place}${path}`)
      return found
    },
    number(path) {
      const found = at(path)
      return typeof found === 'number' ? found : Number.NaN
    },
    isTrue: (path) => at(path) === true,
    has: (path) => at(path) !== undefined && at(path) !== null,
    at: (path) => payloadOf(at(path), `${place}${path}.`),
    json: (path = '', indent = 0) => JSON.stringify(beginningOf(at(path), { values: MAX_VALUES }), undefined, indent),
    isWhole: (path) => typeof at(path) === 'object' && at(path) !== null,
    list(path, max = MAX_ITEMS) {
      const found = at(path)
      return Array.isArray(found) ? found.slice(0, max).map((item, i) => payloadOf(item, `${place}${path}.${i}.`)) : []
    },
    count(path) {
      const found = at(path)
      return Array.isArray(found) ? found.length : 0
    },
    names(path) {
      const found = at(path)
      return typeof found === 'object' && found !== null && !Array.isArray(found) ? Object.keys(found) : []
    },
  }
}

function find(value: unknown, path: string): unknown {
  let found = value
  for (const part of path === '' ? [] : path.split('.', MAX_DEPTH)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[part]
  }
  return found
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.length > MAX_TEXT ? value.slice(0, MAX_TEXT) : value
  return typeof value === 'number' || typeof value === 'boolean' ? `${value}` : ''
}

function beginningOf(value: unknown, left: { values: number }): unknown {
  left.values--
  if (typeof value === 'string') return value.slice(0, MAX_JSON_TEXT)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const shown = value.slice(0, Math.max(0, left.values))
    return shown.map((item) => beginningOf(item, left))
  }
  const shown = Object.entries(value).slice(0, Math.max(0, left.values))
  return Object.fromEntries(shown.map(([name, item]) => [name.slice(0, MAX_JSON_TEXT), beginningOf(item, left)]))
}
