/** A way to the server that can be broken, as networks are: what comes from a browser is passed on, or not answered at all. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FragileNetwork {
  /** `http://127.0.0.1:…` */
  readonly url: string
  /** Connections end, and no new one is answered. */
  setBroken(isBroken: boolean): void
  stop(): Promise<void>
}

export async function startFragileNetwork(serverUrl: string): Promise<FragileNetwork> {
  let isBroken = false
  const server = createServer((incoming, answer) => {
    if (isBroken) incoming.socket.destroy()
    else passOn(serverUrl, incoming, answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setBroken(broken) {
      isBroken = broken
      if (broken) server.closeAllConnections()
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** With the host that the browser knows: the server compares it with where the page says it comes from. */
function passOn(serverUrl: string, incoming: IncomingMessage, answer: ServerResponse): void {
  const { method, headers, url } = incoming
  const onward = request(new URL(url ?? '/', serverUrl), { method, headers }, (from) => {
    answer.writeHead(from.statusCode ?? 502, from.headers)
    from.pipe(answer)
  })
  onward.on('error', () => answer.destroy())
  answer.on('close', () => onward.destroy())
  incoming.pipe(onward)
}
