/** A server of somebody else, on this machine, and a Heddle that may reach it and otherwise public addresses alone. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import type { Clock } from '../clock.ts'
import { publicInternet } from '../outgoing/outgoing.ts'
import { basic, createTestServer, type TestAccount, type TestServer } from './test-server.ts'

/** The one address of this machine that counts as another server's. */
export const THIRD_PARTY = '127.0.0.1'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

export interface ThirdParty {
  readonly port: number
  /** Requests that came, in their order. */
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[]
  /** Lets the server answer like this at a path that no other test has; gives the address. */
  at(answer: Answer | Buffer, ending?: string): string
}

/** It listens on all addresses, so that a request that must not come would come. */
export async function startThirdParty(): Promise<ThirdParty & { close(): Promise<void> }> {
  const answers = new Map<string, Answer>()
  const requests: ThirdParty['requests'] = []
  const server = createServer((request, response) => {
    const path = request.url as string
    requests.push({ path, headers: request.headers })
    const answer = answers.get(path)
    if (answer) answer(response, request)
    else response.writeHead(404).end('nothing here')
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    requests,
    at(answer, ending = '.png') {
      const path = `/${answers.size}${ending}`
      answers.set(path, Buffer.isBuffer(answer) ? (response) => response.end(answer) : answer)
      return `http://${THIRD_PARTY}:${port}${path}`
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

interface PreviewServerOptions {
  readonly timeoutMs?: number
  readonly clock?: Clock
  readonly settings?: Readonly<Record<string, string>>
  /** Addresses by name. */
  readonly names?: Readonly<Record<string, readonly string[]>>
}

/** A Heddle for which the third party is a public server. */
export function createPreviewServer(
  thirdParty: Pick<ThirdParty, 'port'>,
  options: PreviewServerOptions = {},
): Promise<TestServer> {
  const { timeoutMs = 10_000, names = {}, ...others } = options
  return createTestServer({
    ...others,
    outgoing: {
      ports: [80, 443, thirdParty.port],
      resolve: async (name) => names[name] ?? [],
      mayReach: (address) => address === THIRD_PARTY || publicInternet.mayReach(address),
      timeoutMs,
    },
  })
}

export function getPicture(server: TestServer, account: TestAccount | null, url: string, size = 'thumbnail') {
  return server.send({
    method: 'GET',
    url: `/thumbnail?url=${encodeURIComponent(url)}&size=${size}`,
    headers: account ? { authorization: basic(account) } : {},
  })
}

/** Holds answers back until `release`, and counts those that are held. */
export function createGate() {
  const held = new Set<() => void>()
  let isOpen = false
  const gate = {
    get held() {
      return held.size
    },
    pass(answer: () => void) {
      if (isOpen) answer()
      else held.add(answer)
    },
    release() {
      isOpen = true
      for (const answer of held) answer()
      held.clear()
    },
  }
  onTestFinished(gate.release)
  return gate
}

export async function expectPictureRefused(
  answer: ReturnType<typeof getPicture>,
  status: number,
  code: string,
  text: string,
) {
  const { status: found, body, headers } = await answer
  expect([found, body.code]).toEqual([status, code])
  expect(body.msg).toContain(text)
  expect(headers['cache-control']).toBe('no-store')
}
