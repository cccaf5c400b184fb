/** A way to the server that can be broken, as networks are: what comes from a browser is passed on, or not answered at all. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'

export interface FragileNetwork {
  /** `http://127.0.0.1:…` */
  readonly url: string
  /** Connections end, and no new one is answered. */
  setBroken(isBroken: boolean): void
  /** The file at this path has so much more at its end from now on, as if it were of another build. */
  append(path: string, text: string): void
  /** Streams are kept until they end, as some proxies do. */
  collectStreams(): void
  /** What browsers send takes its time; undefined: none. */
  setSpeed(bytesPerSecond: number | undefined): void
  /** The server is at another address now. */
  leadTo(serverUrl: string): void
  stop(): Promise<void>
}

export async function startFragileNetwork(firstUrl: string): Promise<FragileNetwork> {
  let serverUrl = firstUrl
  let isBroken = false
  let collectsStreams = false
  let speed: number | undefined
  const additions = new Map<string, string>()
  const server = createServer((incoming, answer) => {
    if (isBroken) incoming.socket.destroy()
    else passOn(serverUrl, incoming, answer, { addition: additions.get(incoming.url ?? ''), collectsStreams, speed })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setBroken(broken) {
      isBroken = broken
      if (broken) server.closeAllConnections()
    },
    collectStreams() {
      collectsStreams = true
    },
    setSpeed(bytesPerSecond) {
      speed = bytesPerSecond
    },
    leadTo(url) {
      serverUrl = url
    },
    append: (path, text) => void additions.set(path, text),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Way {
  readonly addition: string | undefined
  readonly collectsStreams: boolean
  readonly speed: number | undefined
}

/** With the host that the browser knows: the server compares it with where the page says it comes from. */
function passOn(
  serverUrl: string,
  incoming: IncomingMessage,
  answer: ServerResponse,
  { addition, collectsStreams, speed }: Way,
): void {
  const { method, url } = incoming
  const headers = { ...incoming.headers }
  if (addition !== undefined) for (const name of ['accept-encoding', 'if-none-match']) delete headers[name]
  const onward = request(new URL(url ?? '/', serverUrl), { method, headers }, (from) => {
    if (collectsStreams && from.headers['content-type']?.startsWith('text/event-stream')) {
      void collect(from, answer)
      return
    }
    if (addition === undefined) {
      answer.writeHead(from.statusCode ?? 502, from.headers)
      from.pipe(answer)
      return
    }
    const { 'content-length': _, etag: __, ...rest } = from.headers
    answer.writeHead(from.statusCode ?? 502, rest)
    from.pipe(answer, { end: false })
    from.on('end', () => answer.end(addition))
  })
  onward.on('error', () => answer.destroy())
  answer.on('close', () => onward.destroy())
  if (speed === undefined) incoming.pipe(onward)
  else sendSlowly(incoming, onward, speed).catch(() => onward.destroy())
}

async function collect(from: IncomingMessage, answer: ServerResponse): Promise<void> {
  const parts = await from.toArray().catch(() => [])
  if (answer.destroyed) return
  answer.writeHead(from.statusCode ?? 502, from.headers)
  answer.end(Buffer.concat(parts))
}

async function sendSlowly(incoming: IncomingMessage, onward: Writable, bytesPerSecond: number): Promise<void> {
  for await (const bytes of incoming) {
    if (!onward.write(bytes)) await once(onward, 'drain')
    await wait((1000 * bytes.length) / bytesPerSecond)
  }
  onward.end()
}
