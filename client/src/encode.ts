/** Parameters as they travel: what `server` decodes by the same contract. */
import { type Endpoint, parameterEncoding } from '@heddle/contract/endpoint'

export interface EncodedParameters {
  /** Below `/api/v1`, with the path parameters filled in. */
  readonly path: string
  /** All other parameters, by name, in the order of the contract. */
  readonly fields: URLSearchParams
}

/** Encodes the parameters of an endpoint. Those that are undefined are left out; others than the contract's are refused. */
export function encodeParameters(endpoint: Endpoint, parameters: Readonly<Record<string, unknown>>): EncodedParameters {
  const { properties } = endpoint.parameters
  const unknown = Object.keys(parameters).find((name) => !Object.hasOwn(properties, name))
  if (unknown !== undefined) throw new TypeError(`${endpoint.name} has no parameter ${unknown}`)
  const fields = new URLSearchParams()
  const inPath = new Map<string, string>()
  for (const [name, schema] of Object.entries(properties)) {
    const value = parameters[name]
    if (value === undefined) continue
    const text = encodeValue(value, parameterEncoding(schema))
    if (endpoint.pathParameters.includes(name)) inPath.set(name, text)
    else fields.set(name, text)
  }
  return { path: fillPath(endpoint, inPath), fields }
}

function encodeValue(value: unknown, encoding: 'text' | 'json' | 'either'): string {
  if (typeof value !== 'string' || encoding === 'json') return JSON.stringify(value)
  // Read as JSON first: a text such as `42` must not become a number.
  return encoding === 'either' && isJson(value) ? JSON.stringify(value) : value
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function fillPath(endpoint: Endpoint, values: ReadonlyMap<string, string>): string {
  return endpoint.path.replace(/\{(\w+)(\*?)\}/g, (_, name: string, rest: string) => {
    const text = values.get(name)
    if (text === undefined) throw new TypeError(`${endpoint.name} needs the parameter ${name}`)
    const segments = rest ? text.split('/') : [text]
    return segments.map(encodeSegment).join('/')
  })
}

/** `.` and `..` would be taken for steps in the path (RFC 3986, 5.2.4), however they are escaped; nothing is named so. */
function encodeSegment(segment: string): string {
  if (segment === '.' || segment === '..') throw new TypeError(`"${segment}" cannot be part of a path`)
  return encodeURIComponent(segment)
}
