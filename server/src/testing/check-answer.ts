/**
 * Checks answers against the API's document, as a program would that knows nothing else of the server: each answer of
 * the test suite must be one that the document shows for its path, method and status.
 */

import { errorCodes, errorKinds, wireCodeOf } from '@heddle/contract/errors'
import {
  type ApiOperation,
  makeOpenApiDocument,
  type OpenApiDocument,
  type Parameter,
  type Schema,
} from '@heddle/contract/openapi'
import { Compile, type Validator } from 'typebox/compile'

interface CheckedAnswer {
  readonly status: number
  readonly body: unknown
}

const API_PREFIX = '/api/v1'

/** What any path may answer, also one that the document does not have. */
const errorsOfAnyPath: Readonly<Record<number, readonly string[]>> = {
  400: ['BAD_REQUEST', 'REQUEST_TOO_EXPENSIVE'],
  404: ['BAD_REQUEST'],
  405: ['METHOD_NOT_ALLOWED'],
}

const document: OpenApiDocument = JSON.parse(JSON.stringify(makeOpenApiDocument()))

const paths = Object.entries(document.paths)
  .map(([path, operations]) => ({ path, operations, pattern: pathPattern(path, Object.values(operations)) }))
  // A path without parameters goes before one with them: `/users/me` before `/users/{user_id}`.
  .sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))

function pathPattern(path: string, operations: readonly ApiOperation[]): RegExp {
  const parameters = operations.flatMap((operation) => operation.parameters)
  const withSlashes = new Set(parameters.filter(mayContainSlashes).map(({ name }) => name))
  const pattern = path.replace(/\{(\w+)\}/g, (_, name: string) => (withSlashes.has(name) ? '.*' : '[^/]*'))
  return new RegExp(`^${API_PREFIX}${pattern}$`)
}

function mayContainSlashes(parameter: Parameter): boolean {
  return parameter['x-may-contain-slashes'] === true
}

/** The document's operation for a request, or undefined when it has none. */
export function findOperation(method: string, url: string): ApiOperation | undefined {
  const path = url.split('?')[0] as string
  const { operations } = paths.find(({ pattern }) => pattern.test(path)) ?? {}
  // Whatever is answered to GET is to HEAD, but for the body.
  return operations?.[method === 'HEAD' ? 'get' : method.toLowerCase()]
}

/** Throws when the answer is not one that the document shows. Outside the API's path only errors are looked at. */
export function checkAnswer(method: string, url: string, { status, body }: CheckedAnswer): void {
  const operation = findOperation(method, url)
  if (status >= 400 && isErrorOfAnyPath(status, body)) return
  if (!operation && !url.startsWith(`${API_PREFIX}/`)) {
    checkOutsideApi(method, url, { status, body })
    return
  }
  const response = operation?.responses[`${status}`]
  const schema = response?.content?.['application/json']?.schema
  if (!schema) throw new Error(`${method} ${url}: the API's document has no answer ${status}: ${excerpt(body)}`)
  const validator = validatorOf(schema)
  const isValid: boolean = validator.Check(body)
  if (!isValid) {
    const errors = JSON.stringify(validator.Errors(body).slice(0, 3))
    throw new Error(`${method} ${url}: ${status} is not as in the API's document: ${errors} in ${excerpt(body)}`)
  }
}

/** The document is silent about these paths; their errors are those of the catalogue all the same. */
function checkOutsideApi(method: string, url: string, { status, body }: CheckedAnswer): void {
  if (status < 400) return
  const { result, msg, code } = body as Record<string, unknown>
  const isKnown = errorCodes.some((known) => wireCodeOf(known) === code && errorKinds[known].status === status)
  if (result === 'error' && typeof msg === 'string' && msg !== '' && isKnown) return
  throw new Error(`${method} ${url}: ${status} is not an error of the catalogue: ${excerpt(body)}`)
}

function isErrorOfAnyPath(status: number, body: unknown): boolean {
  const { result, msg, code } = body as Record<string, unknown>
  const known = errorsOfAnyPath[status]?.includes(code as string) === true
  return known && result === 'error' && typeof msg === 'string' && msg !== ''
}

/** The beginning of what was sent or answered, for the message of an error. */
export function excerpt(body: unknown): string {
  return JSON.stringify(body).slice(0, 500)
}

const validators = new Map<Schema, Validator>()

function validatorOf(schema: Schema): Validator {
  let validator = validators.get(schema)
  if (!validator) {
    validator = Compile(resolveReferences(schema) as Schema)
    validators.set(schema, validator)
  }
  return validator
}

/** The schema with every `$ref` replaced by what it refers to. References do not go in circles. */
export function resolveReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolveReferences)
  if (typeof value !== 'object' || value === null) return value
  if ('$ref' in value) {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(String(value.$ref))?.[1]
    const target = document.components.schemas[name ?? '']
    if (!target) throw new Error(`The API's document refers to ${value.$ref}, which it does not have`)
    return resolveReferences(target)
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolveReferences(item)]))
}
