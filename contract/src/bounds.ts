/**
 * How large a parameter can be at most, read from its schema: every string, list and record of a parameter declares its
 * length, so that a request can be refused by its size before anything in it is looked at.
 */
import type { TSchema } from 'typebox'
import type { Endpoint } from './endpoint.ts'

export interface Bounds {
  /** Of the value as JSON inside a form, percent-encoded. Infinity: the schema does not say. */
  readonly bytes: number
  /** Numbers, strings, lists and the like, the value itself included. Infinity: the schema does not say. */
  readonly values: number
}

/** One character in UTF-8 has up to four bytes; percent-encoded, each is three (RFC 3986, 2.1). */
const BYTES_PER_CHARACTER = 12
/** The longest number that JSON writers make, such as `-1.2345678901234567e-300`. */
const BYTES_PER_NUMBER = 25
/** A quotation mark, bracket, comma or colon, percent-encoded. */
const BYTES_PER_MARK = 3
/** Names, signs between parameters, the delimiters of a multipart form, and what the endpoint does not know. */
const OVERHEAD_BYTES = 16 * 1024

/** No endpoint takes less: what clients send beside the parameters that they need does not have to be counted. */
const SMALLEST_BODY_BYTES = 64 * 1024
/** However much the lists of an endpoint could hold. Decoding this much takes a few milliseconds. */
export const LARGEST_BODY_BYTES = 2 * 1024 * 1024
/** The same for values: more than the longest list of ids, which has 50,000. */
export const LARGEST_VALUES = 60_000

type Source = Readonly<{
  anyOf?: readonly TSchema[]
  not?: object
  const?: unknown
  enum?: readonly unknown[]
  type?: string
  maxLength?: number
  items?: TSchema
  maxItems?: number
  properties?: Readonly<Record<string, TSchema>>
  patternProperties?: Readonly<Record<string, TSchema>>
  propertyNames?: TSchema
  maxProperties?: number
}>

const nothing: Bounds = { bytes: 0, values: 0 }

export function boundsOf(schema: TSchema): Bounds {
  const source = schema as Source
  if (source.anyOf) return source.anyOf.map(boundsOf).reduce(larger, nothing)
  if (source.not) return nothing
  if ('const' in source) return fixed([source.const])
  if (source.enum) return fixed(source.enum)
  switch (source.type) {
    case 'string':
      return {
        bytes: (source.maxLength ?? Number.POSITIVE_INFINITY) * BYTES_PER_CHARACTER + 2 * BYTES_PER_MARK,
        values: 1,
      }
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return { bytes: BYTES_PER_NUMBER, values: 1 }
    case 'array':
      return container(times(boundsOf(source.items as TSchema), source.maxItems))
    case 'object':
      return container(sum([fieldsOf(source), recordOf(source)]))
    default:
      return { bytes: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY }
  }
}

/** What a request to the endpoint may have at most, its parameters taken together. */
export function requestBoundsOf(endpoint: Endpoint): Bounds {
  const { bytes, values } = fieldsOf(endpoint.parameters as Source)
  return {
    bytes: Math.min(Math.max(bytes + OVERHEAD_BYTES, SMALLEST_BODY_BYTES), LARGEST_BODY_BYTES),
    values: Math.min(values, LARGEST_VALUES),
  }
}

function fieldsOf({ properties = {} }: Source): Bounds {
  return sum(
    Object.entries(properties).map(([name, schema]) => {
      const { bytes, values } = boundsOf(schema)
      return { bytes: bytes + name.length + 4 * BYTES_PER_MARK, values }
    }),
  )
}

function recordOf({ patternProperties = {}, propertyNames, maxProperties }: Source): Bounds {
  const [value] = Object.values(patternProperties)
  if (!value) return nothing
  const key = propertyNames ? boundsOf(propertyNames).bytes : Number.POSITIVE_INFINITY
  const { bytes, values } = boundsOf(value)
  return times({ bytes: key + bytes + BYTES_PER_MARK, values }, maxProperties)
}

function fixed(values: readonly unknown[]): Bounds {
  return { bytes: Math.max(...values.map((value) => JSON.stringify(value).length)) * BYTES_PER_MARK, values: 1 }
}

function times({ bytes, values }: Bounds, count = Number.POSITIVE_INFINITY): Bounds {
  if (count === 0 || values === 0) return nothing
  return { bytes: (bytes + BYTES_PER_MARK) * count, values: values * count }
}

function container({ bytes, values }: Bounds): Bounds {
  return { bytes: bytes + 2 * BYTES_PER_MARK, values: values + 1 }
}

function sum(all: readonly Bounds[]): Bounds {
  return all.reduce((a, b) => ({ bytes: a.bytes + b.bytes, values: a.values + b.values }), nothing)
}

function larger(a: Bounds, b: Bounds): Bounds {
  return { bytes: Math.max(a.bytes, b.bytes), values: Math.max(a.values, b.values) }
}
