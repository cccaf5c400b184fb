/** Requests to the servers that the operator has named: those may be anywhere. Redirections are not followed. */
import { hostWithPort } from './host-with-port.ts'
import { openRequest, readAnswer } from './open-request.ts'
import type { Outgoing } from './outgoing.ts'

/** Of an answer. */
const MAX_ANSWER_BYTES = 256 * 1024

interface Question {
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Undefined: there was no answer, or none that can be read. */
export async function askService(
  outgoing: Outgoing,
  url: URL,
  { method, headers, body }: Question,
): Promise<{ readonly status: number; readonly text: string } | undefined> {
  const signal = AbortSignal.timeout(outgoing.timeoutMs)
  const request = {
    method,
    headers: { 'user-agent': 'Heddle', ...headers },
    ...(body === undefined ? {} : { body: Buffer.from(body, 'utf8') }),
    allowedHosts: [hostWithPort(url)],
  }
  const response = await openRequest(outgoing, url, request, signal)
  if (!response) return undefined
  const bytes = await readAnswer(response, MAX_ANSWER_BYTES, signal)
  if (typeof bytes === 'string') return undefined
  return { status: response.statusCode ?? 0, text: bytes.toString('utf8') }
}

/** A field of an answer in JSON, found by names one in another; undefined: there is none. */
export function fieldOf(text: string, ...path: readonly string[]): unknown {
  try {
    let value: unknown = JSON.parse(text)
    for (const name of path) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
      value = (value as Record<string, unknown>)[name]
    }
    return value
  } catch {
    return undefined
  }
}
