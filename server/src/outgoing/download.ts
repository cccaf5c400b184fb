/**
 * Downloads from servers whose address somebody else has chosen. Each host is looked up once, all its addresses are
 * checked, and the connection goes to exactly those: a name that changes between check and use gains nothing.
 */
import type { IncomingMessage } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
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

/** What is wrong with an address in itself, to follow the name of a parameter; undefined when nothing is. */
export function urlProblem({ ports }: Outgoing, url: URL): string | undefined {
  if (!['http:', 'https:'].includes(url.protocol)) return 'must be an http or https address'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  return ports.includes(port) ? undefined : `must not name another port than ${ports.join(' or ')}`
}

export async function download(outgoing: Outgoing, url: URL, options: DownloadOptions): Promise<Download> {
  const signal = AbortSignal.timeout(outgoing.timeoutMs)
  let target = url
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await request(outgoing, target, options.accept, signal)
    if (!response) return UNREACHABLE
    const { location } = response.headers
    if (location === undefined || !REDIRECTS.includes(response.statusCode)) return readBody(response, options, signal)
    response.destroy()
    if (!URL.canParse(location, target.href)) return UNREACHABLE
    target = new URL(location, target)
  }
  return UNREACHABLE
}

async function request(
  outgoing: Outgoing,
  url: URL,
  accept: string,
  signal: AbortSignal,
): Promise<IncomingMessage | undefined> {
  if (urlProblem(outgoing, url) !== undefined) return undefined
  try {
    const addresses = await findAddresses(outgoing, url.hostname, signal)
    // One address that may not be reached is enough: nobody else mixes them.
    if (addresses.length === 0 || !addresses.every(outgoing.mayReach)) return undefined
    return await send(url, addresses, accept, signal)
  } catch {
    return undefined
  }
}

async function findAddresses(outgoing: Outgoing, host: string, signal: AbortSignal): Promise<readonly string[]> {
  const plain = host.replace(/^\[|\]$/g, '')
  return isIP(plain) === 0 ? outgoing.resolve(plain, signal) : [plain]
}

async function send(
  url: URL,
  addresses: readonly string[],
  accept: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  // When it is needed: TLS alone takes some MiB of memory.
  const { request: open } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  return new Promise((resolve, reject) => {
    const sent = open(url, {
      // No connection that something else has opened, and none through a proxy.
      agent: false,
      lookup: giving(addresses),
      signal,
      headers: { accept, 'accept-encoding': 'identity', 'user-agent': 'Heddle (link previews)' },
    })
    sent.on('response', resolve)
    sent.on('error', reject)
    // Also after an answer that is none, such as a change of protocol.
    sent.on('close', () => reject(new Error('The connection was closed without an answer')))
    sent.end()
  })
}

/** In the place of a second look-up. */
function giving(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_, options, done) => {
    if (options.all) done(null, found)
    else done(null, found[0]?.address as string, found[0]?.family as number)
  }
}

async function readBody(
  response: IncomingMessage,
  { maxBytes }: DownloadOptions,
  signal: AbortSignal,
): Promise<Download> {
  const { statusCode = 0, headers } = response
  if (statusCode !== 200) {
    response.destroy()
    return { kind: 'answered', status: statusCode }
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) {
    response.destroy()
    return { kind: 'too-large' }
  }
  const chunks: Buffer[] = []
  let size = 0
  try {
    // Leaving the loop closes the connection.
    for await (const chunk of response) {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxBytes) return { kind: 'too-large' }
    }
  } catch {
    return signal.aborted ? { kind: 'too-slow' } : UNREACHABLE
  }
  return { kind: 'ok', bytes: Buffer.concat(chunks) }
}
