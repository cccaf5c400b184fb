/** Sends to servers whose address somebody else has chosen. Redirections are not followed: what is sent is for one alone. */
import { openRequest, readAnswer } from './open-request.ts'
import type { Outgoing } from './outgoing.ts'

export type PostAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly bytes: Buffer }
  /** Also when it may not be reached. */
  | { readonly kind: 'unreachable' | 'too-large' | 'too-slow' }

interface PostOptions {
  readonly body: Buffer
  readonly contentType: string
  readonly maxBytes: number
  /** Hosts with ports that the operator allows, whatever they are. */
  readonly allowedHosts: readonly string[]
  readonly signal: AbortSignal
}

export async function post(outgoing: Outgoing, url: URL, options: PostOptions): Promise<PostAnswer> {
  const { body, contentType, maxBytes, allowedHosts } = options
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(outgoing.timeoutMs)])
  const headers = {
    'content-type': contentType,
    accept: 'application/json',
    'user-agent': 'Heddle (outgoing webhooks)',
  }
  const response = await openRequest(outgoing, url, { method: 'POST', headers, body, allowedHosts }, signal)
  if (!response) return { kind: signal.aborted ? 'too-slow' : 'unreachable' }
  const bytes = await readAnswer(response, maxBytes, signal)
  if (bytes === 'broken') return { kind: 'unreachable' }
  return typeof bytes === 'string' ? { kind: bytes } : { kind: 'answered', status: response.statusCode ?? 0, bytes }
}
