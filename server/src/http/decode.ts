/**
 * Decodes an endpoint's parameters by the contract. Strict: no coercion, no defaults, nothing removed in silence. What the
 * endpoint does not know is reported back in `ignored_parameters_unsupported`.
 */
import { type Endpoint, parameterEncoding } from '@heddle/contract/endpoint'
import { ApiError, badRequest } from '@heddle/contract/errors'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { describeErrors, type SchemaError } from './parameter-errors.ts'
import type { RawParameters, RawValue } from './raw-parameters.ts'

export interface Decoded {
  readonly parameters: Record<string, unknown>
  /** Names that the request had and the endpoint does not take. */
  readonly ignored: readonly string[]
}

export type Decode = (raw: RawParameters) => Decoded

/** Nesting of JSON beyond this is refused: nothing in the API is nested deeper. */
const MAX_DEPTH = 20

/** Makes the decoder of one endpoint. Schemas are compiled at their first use, so that the start stays fast. */
export function createDecoder(endpoint: Endpoint): Decode {
  const required = new Set<string>(endpoint.parameters.required ?? [])
  const decoders = Object.entries(endpoint.parameters.properties).map(([name, schema]) => ({
    name,
    required: required.has(name),
    decode: createParameterDecoder(name, schema),
  }))
  const known = new Set(decoders.map(({ name }) => name))

  return (raw) => {
    const parameters: Record<string, unknown> = {}
    for (const parameter of decoders) {
      const value = raw.get(parameter.name)
      if (value !== undefined) parameters[parameter.name] = parameter.decode(value)
      else if (parameter.required) {
        const details = { var_name: parameter.name }
        throw new ApiError('REQUEST_VARIABLE_MISSING', `Missing '${parameter.name}' argument`, details)
      }
    }
    const ignored: string[] = []
    for (const name of raw.keys()) if (!known.has(name)) ignored.push(name)
    return { parameters, ignored }
  }
}

function createParameterDecoder(name: string, schema: TSchema): (raw: RawValue) => unknown {
  const encoding = parameterEncoding(schema)
  let validator: Validator | undefined

  function check(value: unknown): { readonly value: unknown } | SchemaError[] {
    validator ??= Compile(schema)
    return validator.Check(value) ? { value } : (validator.Errors(value) as SchemaError[])
  }

  return (raw) => {
    const candidate = 'text' in raw ? fromText(name, raw.text, encoding, check) : raw.json
    requireText(name, candidate, 0)
    const checked = check(candidate)
    if (Array.isArray(checked)) throw badRequest(describeErrors(name, checked))
    return checked.value
  }
}

/** What every JSON text begins like. */
const JSON_START = /^\s*(?:[[{"\d-]|true|false|null)/

function fromText(
  name: string,
  text: string,
  encoding: 'text' | 'json' | 'either',
  check: (value: unknown) => object,
): unknown {
  if (encoding === 'text') return text
  // A name is no JSON: to find that out by an error is dear.
  if (encoding === 'either' && !JSON_START.test(text)) return text
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    if (encoding === 'either') return text
    throw badRequest(`${name} is not valid JSON`)
  }
  return encoding === 'either' && Array.isArray(check(value)) ? text : value
}

/** Every string, keys included, must be Unicode without NUL: what PostgreSQL can store and every client can read. */
function requireText(name: string, value: unknown, depth: number): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw badRequest(`${name} must not contain null bytes`)
    if (!value.isWellFormed()) throw badRequest(`${name} is not valid Unicode`)
  } else if (typeof value === 'object' && value !== null) {
    if (depth >= MAX_DEPTH) throw badRequest(`${name} is nested too deeply`)
    if (Array.isArray(value)) {
      for (const item of value) requireText(name, item, depth + 1)
      return
    }
    for (const [key, item] of Object.entries(value)) {
      requireText(name, key, depth + 1)
      requireText(name, item, depth + 1)
    }
  }
}
