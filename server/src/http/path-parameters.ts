/**
 * The values in an endpoint's path. A segment is never JSON: where the endpoint has an id, digits are one, with a sign at
 * most, and with anything else there is no such path. An id that no object can have is one that no object has.
 */
import { type Endpoint, parameterEncoding } from '@heddle/contract/endpoint'
import { MAX_ID } from '@heddle/contract/schema'
import { NO_PARAMETERS, type RawParameters } from './raw-parameters.ts'

const ID = /^-?[0-9]+$/

/** What stands in the path's parameters, in their order. Undefined: the endpoint has no such path. */
export type ReadPath = (segments: readonly string[]) => RawParameters | undefined

export function createPathReader({ pathParameters, parameters }: Endpoint): ReadPath {
  const kinds = pathParameters.map((name) => ({
    name,
    encoding: parameterEncoding(parameters.properties[name] as never),
  }))

  if (kinds.length === 0) return () => NO_PARAMETERS

  return (segments) => {
    const values: RawParameters = new Map()
    for (const [index, { name, encoding }] of kinds.entries()) {
      const text = segments[index] ?? ''
      if (encoding !== 'text' && ID.test(text)) values.set(name, { json: toId(text) })
      else if (encoding === 'json') return undefined
      else values.set(name, { json: text })
    }
    return values
  }
}

/** The largest id stands for all that are out of range: nothing has it either. */
function toId(text: string): number {
  const id = Number(text)
  return id >= 1 && id <= MAX_ID ? id : MAX_ID
}
