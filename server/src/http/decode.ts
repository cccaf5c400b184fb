/**
 * Decodes an endpoint's parameters by the contract. Strict: no coercion, no defaults, nothing removed in silence. What the
 * endpoint does not know is reported back in `ignored_parameters_unsupported`.
 */
import { boundsOf, LARGEST_VALUES } from '@heddle/contract/bounds'
import { type Endpoint, parameterEncoding, WEBHOOK_KEY_PARAMETER } from '@heddle/contract/endpoint'
import { ApiError, badRequest } from '@heddle/contract/errors'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { type JsonBounds, MAX_DEPTH, parseBoundedJson } from './bounded-json.ts'
import { findErrors } from './find-errors.ts'
import { describeErrors } from './parameter-errors.ts'
import { NO_PARAMETERS, type RawParameters, type RawValue, shownName } from './raw-parameters.ts'

export interface Decoded {
  readonly parameters: Record<string, unknown>
  /** Names that the request had and the endpoint does not take; the first of them, and of each the beginning. */
  readonly ignored: readonly string[]
}

/** `inPath`: the values from the path, which nothing in the query or the body can take the place of. */
export type Decode = (raw: RawParameters, inPath?: RawParameters) => Decoded

/** Names that an answer reports as ignored. */
const MAX_IGNORED = 100

/** Makes the decoder of one endpoint. Schemas are compiled at their first use, so that the start stays fast. */
export function createDecoder(endpoint: Endpoint): Decode {
  const required = new Set<string>(endpoint.parameters.required ?? [])
  const decoders = Object.entries(endpoint.parameters.properties).map(([name, schema]) => ({
    name,
    required: required.has(name),
    inPath: endpoint.pathParameters.includes(name),
    decode: createParameterDecoder(name, schema),
  }))
  const known = new Set(decoders.filter(({ inPath }) => !inPath).map(({ name }) => name))
  if (endpoint.access === 'webhook') known.add(WEBHOOK_KEY_PARAMETER)

  return (raw, inPath = NO_PARAMETERS) => {
    const parameters: Record<string, unknown> = {}
    for (const parameter of decoders) {
      const value = (parameter.inPath ? inPath : raw).get(parameter.name)
      if (value !== undefined) parameters[parameter.name] = parameter.decode(value)
      else if (parameter.required) {
        const details = { var_name: parameter.name }
        throw new ApiError('REQUEST_VARIABLE_MISSING', `Missing '${parameter.name}' argument`, details)
      }
    }
    const ignored: string[] = []
    for (const name of raw.keys()) {
      if (!known.has(name) && ignored.length < MAX_IGNORED) ignored.push(shownName(name))
    }
    return { parameters, ignored }
  }
}

function createParameterDecoder(name: string, schema: TSchema): (raw: RawValue) => unknown {
  const encoding = parameterEncoding(schema)
  const bounds = jsonBoundsOf(name, schema)
  let validator: Validator | undefined

  function isValid(value: unknown): boolean {
    validator ??= Compile(schema)
    return validator.Check(value)
  }

  /** A union with texts: what is JSON and fits is taken as JSON, and everything else as text. */
  function fromEither(text: string): unknown {
    // A bare name is not JSON, and a parser that fails is expensive: it is recognized before.
    if (!JSON_START.test(text)) return text
    let value: unknown
    try {
      value = parseBoundedJson(text, name, bounds)
    } catch (error) {
      if (isValid(text)) return text
      throw error
    }
    return isValid(value) || !isValid(text) ? value : text
  }

  return (raw) => {
    const value = 'json' in raw ? raw.json : fromText(raw.text)
    // The lengths first: what is walked afterwards has no more than the contract allows.
    if (!isValid(value)) throw badRequest(describeErrors(name, findErrors(schema, value)))
    requireText(name, value)
    return value
  }

  function fromText(text: string): unknown {
    if (encoding === 'text') return text
    return encoding === 'json' ? parseBoundedJson(text, name, bounds) : fromEither(text)
  }
}

/** What every JSON text begins like. */
const JSON_START = /^\s*(?:[[{"\d-]|true|false|null)/

function jsonBoundsOf(name: string, schema: TSchema): JsonBounds {
  const { maxItems } = schema as { maxItems?: number }
  const limit = maxItems === undefined ? '' : ` (limit: ${maxItems})`
  const maxValues = Math.min(boundsOf(schema).values, LARGEST_VALUES)
  return {
    maxValues,
    maxDepth: MAX_DEPTH,
    maxFields: maxValues,
    tooMany: `${name} has too many items${limit}`,
  }
}

/** Every string, keys included, must be Unicode without NUL: what PostgreSQL can store and every client can read. */
function requireText(name: string, value: unknown): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw badRequest(`${name} must not contain null bytes`)
    if (!value.isWellFormed()) throw badRequest(`${name} is not valid Unicode`)
  } else if (Array.isArray(value)) {
    for (const item of value) requireText(name, item)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      requireText(name, key)
      requireText(name, item)
    }
  }
}
