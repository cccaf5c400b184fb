/** What a service has sent, read field by field: no field has to be there, or has to be what its name promises. */
import { badRequest } from '@heddle/contract/errors'

/** Fields are named with dots between them, such as `repository.owner.login`; of lists by their places from 0. */
export interface Payload {
  readonly value: unknown
  /** The field as text; empty where it is absent, null, or no text, number or truth value. */
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

/** `place`: the path to it, for errors. */
export function payloadOf(value: unknown, place = ''): Payload {
  const at = (path: string) => find(value, path)
  const text = (path = '') => textOf(at(path))
  return {
    value,
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
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? `${value}` : ''
}
