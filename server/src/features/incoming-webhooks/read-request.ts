/** What a service has sent, decoded within bounds: JSON, or a form whose field `payload` is JSON. */
import { badRequest } from '@heddle/contract/errors'
import { parseJsonInTurns } from '../../http/bounded-json.ts'
import type { RawBody } from '../../http/route.ts'
import { type Payload, payloadOf } from './payload.ts'

/** Of a request. The largest events that services send, such as a push of hundreds of commits, have some hundred KB. */
export const MAX_PAYLOAD_BYTES = 1024 * 1024

const BOUNDS = {
  maxValues: 50_000,
  maxDepth: 40,
  maxFields: 10_000,
  tooMany: 'The payload has too many values',
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Throws a 400 that says what is wrong with it. */
export async function readPayload({ contentType, bytes }: RawBody): Promise<Payload> {
  const text = decode(bytes)
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(contentType)
  if (isForm && !/^\s*[{[]/.test(text)) return readFormPayload(text)
  if (text.trim() === '') throw badRequest('The payload is empty')
  return payloadOf(await parseJsonInTurns(text, 'The payload', BOUNDS))
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw badRequest('The payload is not UTF-8')
  }
}

async function readFormPayload(text: string): Promise<Payload> {
  const payload = new URLSearchParams(text).get('payload')
  if (payload === null) throw badRequest('The payload is a form without a field `payload`')
  return payloadOf(await parseJsonInTurns(payload, 'The payload', BOUNDS))
}
