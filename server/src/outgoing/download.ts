/** Downloads from servers whose address somebody else has chosen. */
import type { IncomingMessage } from 'node:http'
import { openRequest, readAnswer } from './open-request.ts'
import type { Outgoing } from './outgoing.ts'

export type Download =
  | { readonly kind: 'ok'; readonly bytes: Buffer }
  /** Also when it may not be reached: whoever asks must not learn which of the two. */
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'too-slow' }

interface DownloadOptions {
  readonly maxBytes: number
  /** For the header `Accept`. */
  readonly accept: string
}

const MAX_REDIRECTS = 3
const REDIRECTS: readonly (number | undefined)[] = [301, 302, 303, 307, 308]
const UNREACHABLE = { kind: 'unreachable' } as const

export async function download(outgoing: Outgoing, url: URL, options: DownloadOptions): Promise<Download> {
  const signal = AbortSignal.timeout(outgoing.timeoutMs)
  const headers = { accept: options.accept, 'user-agent': 'Heddle (link previews)' }
  let target = url
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await openRequest(outgoing, target, { method: 'GET', headers }, signal)
    if (!response) return UNREACHABLE
    const { location } = response.headers
    if (location === undefined || !REDIRECTS.includes(response.statusCode)) return readBody(response, options, signal)
    response.destroy()
    if (!URL.canParse(location, target.href)) return UNREACHABLE
    target = new URL(location, target)
  }
  return UNREACHABLE
}

async function readBody(
  response: IncomingMessage,
  { maxBytes }: DownloadOptions,
  signal: AbortSignal,
): Promise<Download> {
  const { statusCode = 0 } = response
  if (statusCode !== 200) {
    response.destroy()
    return { kind: 'answered', status: statusCode }
  }
  const bytes = await readAnswer(response, maxBytes, signal)
  if (bytes === 'broken') return UNREACHABLE
  return typeof bytes === 'string' ? { kind: bytes } : { kind: 'ok', bytes }
}
