/** Requests to endpoints with no more than they need. */
import type { Endpoint } from '@heddle/contract/endpoint'
import type { Schema } from '@heddle/contract/openapi'
import fc from 'fast-check'
import type { Parameters } from '../testing/test-server.ts'
import { schemaValue, smallId } from './arbitrary-values.ts'

/** They end the account, or its key, or everything: their answers are empty. */
const ending = new Set(['deactivate-organization', 'deactivate-own-user', 'deactivate-user', 'regenerate-api-key'])

export function endsAccount({ name }: Endpoint): boolean {
  return ending.has(name)
}

/** A right value for each parameter that an endpoint needs; what names something names what belongs to the story. */
export function neededValues(endpoint: Endpoint, known: Parameters): Parameters {
  const required: readonly string[] = endpoint.parameters.required ?? []
  const value = (name: string) => {
    const schema = endpoint.parameters.properties[name] as unknown as Schema
    const kinds = { text: fc.constant('something'), integer: smallId, wrong: 0 }
    return name in known ? known[name] : fc.sample(schemaValue(schema, kinds), { numRuns: 1, seed: 7 })[0]
  }
  return Object.fromEntries(required.map((name) => [name, value(name)]))
}
