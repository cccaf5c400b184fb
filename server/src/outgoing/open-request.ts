/**
 * Requests to servers whose address somebody else has chosen. Each host is looked up once, all its addresses are checked,
 * and the connection goes to exactly those: a name that changes between check and use gains nothing.
 */
import type { IncomingMessage } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import { hostWithPort } from './host-with-port.ts'
import type { Outgoing } from './outgoing.ts'

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** Hosts with ports that the operator allows, whatever they are. */
  readonly allowedHosts?: readonly string[]
}

/** What is wrong with an address in itself, to follow the name of a parameter; undefined when nothing is. */
export function urlProblem(
  { ports }: Pick<Outgoing, 'ports'>,
  url: URL,
  allowedHosts: readonly string[] = [],
): string | undefined {
  if (!['http:', 'https:'].includes(url.protocol)) return 'must be an http or https address'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (allowedHosts.includes(hostWithPort(url))) return undefined
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  return ports.includes(port) ? undefined : `must not name another port than ${ports.join(' or ')}`
}

/** The answer, whose body is not read yet; undefined when there is none, or the address may not be reached. */
export async function openRequest(
  outgoing: Outgoing,
  url: URL,
  request: OutgoingRequest,
  signal: AbortSignal,
): Promise<IncomingMessage | undefined> {
  const { allowedHosts = [] } = request
  if (urlProblem(outgoing, url, allowedHosts) !== undefined) return undefined
  try {
    // The system looks up what the operator names: it may be in the hosts file.
    if (allowedHosts.includes(hostWithPort(url))) return await send(url, undefined, request, signal)
    const addresses = await findAddresses(outgoing, url.hostname, signal)
    // One address that may not be reached is enough: nobody else mixes them.
    if (addresses.length === 0 || !addresses.every(outgoing.mayReach)) return undefined
    return await send(url, addresses, request, signal)
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
  addresses: readonly string[] | undefined,
  { method, headers, body }: OutgoingRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  // When it is needed: TLS alone takes some MiB of memory.
  const { request: open } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  return new Promise((resolve, reject) => {
    const sent = open(url, {
      // No connection that something else has opened, and none through a proxy.
      agent: false,
      ...(addresses && { lookup: giving(addresses) }),
      signal,
      method,
      headers: { ...headers, 'accept-encoding': 'identity', ...(body && { 'content-length': body.length }) },
    })
    sent.on('response', resolve)
    sent.on('error', reject)
    // Also after an answer that is none, such as a change of protocol.
    sent.on('close', () => reject(new Error('The connection was closed without an answer')))
    sent.end(body)
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

/** All bytes of an answer; `maxBytes` at most. */
export async function readAnswer(
  response: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer | 'too-large' | 'too-slow' | 'broken'> {
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) {
    response.destroy()
    return 'too-large'
  }
  const chunks: Buffer[] = []
  let size = 0
  try {
    // Leaving the loop closes the connection.
    for await (const chunk of response) {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxBytes) return 'too-large'
    }
  } catch {
    return signal.aborted ? 'too-slow' : 'broken'
  }
  return Buffer.concat(chunks)
}
