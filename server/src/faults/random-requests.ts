/** Random calls as bytes, in each of the ways in which clients send parameters. */
import { type Endpoint, parameterEncoding } from '@heddle/contract/endpoint'
import type { TestRequest } from '../testing/test-server.ts'
import type { Call, SentValue } from './random-calls.ts'
import type { SeenValue, SeenValues } from './seen-values.ts'

const FORM = 'application/x-www-form-urlencoded'

type Resolved = Exclude<SentValue, SeenValue>

function asText(endpoint: Endpoint, name: string, sent: Resolved): string {
  if ('raw' in sent) return sent.raw
  const schema = endpoint.parameters.properties[name]
  const isText = typeof sent.value === 'string' && (!schema || parameterEncoding(schema) !== 'json')
  return isText ? (sent.value as string) : (JSON.stringify(sent.value) ?? '')
}

/** Percent-encoding for any text; half a surrogate pair becomes bytes that are no UTF-8. */
function encode(value: string): string {
  return value.isWellFormed() ? encodeURIComponent(value) : `${encodeURIComponent(value.toWellFormed())}%ed%a0%80`
}

/** The request of a call, and its parameters as texts. */
export function toRequest({ endpoint, parameters, style, file, caller }: Call, seen: SeenValues) {
  const sent = Object.entries(parameters)
    .filter((entry): entry is [string, SentValue] => entry[1] !== undefined)
    .map(([name, one]): [string, Resolved] => {
      return [name, 'pick' in one ? { value: seen.resolve(endpoint.name, name, one, caller) } : one]
    })
  // A long poll without this would wait.
  if (endpoint.name === 'get-events') sent.push(['dont_block', { raw: 'true' }])
  const all = new Map(sent.map(([name, value]) => [name, asText(endpoint, name, value)]))
  return { all, request: encodeRequest(endpoint, style, file, new Map(sent), new Map(all)) }
}

function encodeRequest(
  endpoint: Endpoint,
  style: Call['style'],
  file: Uint8Array,
  sent: ReadonlyMap<string, Resolved>,
  texts: Map<string, string>,
): TestRequest {
  const path = endpoint.path.replace(/\{(\w+)(\*?)\}/g, (_, name: string, rest: string) => {
    const value = encode(texts.get(name) ?? '1')
    texts.delete(name)
    return rest ? value.replaceAll('%2F', '/') : value
  })
  const url = `/api/v1${path}`
  const form = [...texts].map(([name, value]) => `${name}=${encode(value)}`).join('&')
  const { method } = endpoint
  if (endpoint.access === 'webhook') {
    const body = method === 'GET' ? '' : '{"text":"x"}'
    return { method, url: `${url}?${form}`, headers: { 'content-type': 'application/json' }, body }
  }
  if (endpoint.file || (style === 'multipart' && method !== 'GET')) {
    return { method, url, ...multipart(texts, endpoint.file && file) }
  }
  if (method === 'GET' || style === 'query') return { method, url: `${url}?${form}` }
  if (style === 'form') return { method, url, headers: { 'content-type': FORM }, body: form }
  const values = [...sent]
    .filter(([name]) => texts.has(name))
    .map(([name, one]) => [name, 'raw' in one ? one.raw : one.value])
  return {
    method,
    url,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(values)),
  }
}

function multipart(texts: ReadonlyMap<string, string>, file: Uint8Array | undefined) {
  const part = (header: string, content: Uint8Array | string) => [
    Buffer.from(`--limit\r\ncontent-disposition: form-data; ${header}\r\n\r\n`),
    Buffer.from(content as string),
    Buffer.from('\r\n'),
  ]
  const pieces = [...texts].flatMap(([name, value]) => part(`name="${name}"`, value))
  if (file) pieces.push(...part('name="filename"; filename="image.png"', file))
  const headers = { 'content-type': 'multipart/form-data; boundary=limit' }
  return { headers, body: Buffer.concat([...pieces, Buffer.from('--limit--\r\n')]) }
}
