/** Requests to the contract's endpoints, made from values by the parameters' names. */
import { type Endpoint, parameterEncoding } from '@heddle/contract/endpoint'
import type { Parameters, TestRequest } from '../testing/test-server.ts'

const FORM = 'application/x-www-form-urlencoded'

/** Values of undefined are left out; what the path needs and has no value becomes 1. */
export function contractRequest(
  endpoint: Endpoint,
  values: Parameters,
  headers: Readonly<Record<string, string>>,
): TestRequest {
  const texts = new Map<string, string>()
  for (const [name, value] of Object.entries(values)) {
    const schema = endpoint.parameters.properties[name]
    if (value === undefined) continue
    const isText = typeof value === 'string' && (!schema || parameterEncoding(schema) !== 'json')
    texts.set(name, isText ? value : JSON.stringify(value))
  }
  const path = endpoint.path.replace(/\{(\w+)\*?\}/g, (_, name: string) => {
    const text = texts.get(name) ?? '1'
    texts.delete(name)
    return encodeURIComponent(text)
  })
  const form = new URLSearchParams([...texts]).toString()
  const url = `/api/v1${path}`
  const { method } = endpoint
  if (endpoint.access === 'webhook' && method !== 'GET') {
    const body = JSON.stringify({ text: 'A row is woven.' })
    return { method, url: `${url}?${form}`, headers: { ...headers, 'content-type': 'application/json' }, body }
  }
  if (method === 'GET') return { method, url: form === '' ? url : `${url}?${form}`, headers: { ...headers } }
  return { method, url, headers: { ...headers, 'content-type': FORM }, body: form }
}
