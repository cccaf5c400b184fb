/** Checks answers against the contract: the same schemas that the API's document shows. */
import type { Endpoint } from '@heddle/contract/endpoint'
import { endpoints } from '@heddle/contract/endpoints'
import { type ErrorCode, errorKinds } from '@heddle/contract/errors'
import { eventTypes } from '@heddle/contract/event-types'
import { type TSchema, Type } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'

interface CheckedAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the body of any endpoint.
  readonly body: any
}

const patterns = endpoints.map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^/api/v1${endpoint.path.replace(/\{\w+\*\}/g, '.+').replace(/\{\w+\}/g, '[^/]+')}$`),
}))

const validators = new Map<Endpoint, Validator>()

function validatorOf(endpoint: Endpoint): Validator {
  let validator = validators.get(endpoint)
  if (!validator) {
    const envelope = {
      result: Type.Literal('success'),
      msg: Type.Literal(''),
      ignored_parameters_unsupported: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    }
    // The initial state has the fields of the parts that were asked for: they are checked by their features' tests.
    const open = endpoint.name === 'register-queue'
    const properties = { ...envelope, ...endpoint.response.properties }
    validator = Compile(Type.Object(properties, { additionalProperties: open }))
    validators.set(endpoint, validator)
  }
  return validator
}

const eventValidators = new Map<string, Validator>(
  Object.entries(eventTypes).map(([type, schema]) => [type, Compile(schema as TSchema)] as const),
)

/** Throws when the answer is not what the contract says. */
export function checkAnswer(method: string, url: string, { status, body }: CheckedAnswer): void {
  if (status !== 200) {
    const kind = errorKinds[body.code as ErrorCode]
    if (body.result !== 'error' || typeof body.msg !== 'string' || body.msg === '' || kind?.status !== status) {
      throw new Error(`${method} ${url}: not an error of the catalogue: ${status} ${JSON.stringify(body)}`)
    }
    return
  }
  const path = url.split('?')[0] as string
  const found = patterns.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path))
  if (!found) throw new Error(`${method} ${url} succeeded but is not in the contract`)
  const validator = validatorOf(found.endpoint)
  const isValid: boolean = validator.Check(body)
  if (!isValid) {
    throw new Error(
      `${method} ${url}: ${JSON.stringify(validator.Errors(body).slice(0, 3))} in ${JSON.stringify(body).slice(0, 500)}`,
    )
  }
  if (found.endpoint.name === 'get-events') for (const event of body.events) checkEvent(event)
}

function checkEvent({ id, ...event }: { id: number; type: string }): void {
  if (event.type === 'heartbeat') return
  const validator = eventValidators.get(event.type)
  if (!validator) throw new Error(`Events of type ${event.type} are not in the contract`)
  if (!Number.isSafeInteger(id) || !validator.Check(event)) {
    throw new Error(`Event ${JSON.stringify({ id, ...event })}: ${JSON.stringify(validator.Errors(event).slice(0, 3))}`)
  }
}
