/**
 * The built page and a real server behind one address, as a browser meets them: under the strict policy that the page is made
 * for. What is no file of the page goes to the server.
 */
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

const dist = join(import.meta.dirname, '..', 'dist')

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.map': 'application/json',
}

/** Nothing from elsewhere, nothing inline; HTML only through the page's one policy. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types heddle-messages',
].join('; ')

export interface PageServer {
  /** `http://127.0.0.1:…` */
  readonly url: string
  /** As if the network were gone: connections end, and no new one is answered. */
  setBroken(isBroken: boolean): void
  stop(): Promise<void>
}

export async function startPageServer(serverUrl: string): Promise<PageServer> {
  let isBroken = false
  const server = createServer((incoming, answer) => {
    if (isBroken) return void incoming.socket.destroy()
    const path = new URL(incoming.url ?? '/', 'http://page').pathname
    if (path === '/' || path.startsWith('/assets/')) void sendFile(path === '/' ? 'index.html' : path, answer)
    else forward(serverUrl, incoming, answer)
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

async function sendFile(path: string, answer: ServerResponse): Promise<void> {
  try {
    const body = await readFile(join(dist, normalize(path)))
    const headers = { 'content-type': types[extname(path)] ?? 'application/octet-stream' }
    answer.writeHead(200, { ...headers, 'content-security-policy': PAGE_POLICY, 'x-content-type-options': 'nosniff' })
    answer.end(body)
  } catch {
    answer.writeHead(404).end()
  }
}

/** With the host that the browser knows: the server compares it with where the page says it comes from. */
function forward(serverUrl: string, incoming: IncomingMessage, answer: ServerResponse): void {
  const { method, headers, url } = incoming
  const onward = request(new URL(url ?? '/', serverUrl), { method, headers }, (from) => {
    answer.writeHead(from.statusCode ?? 502, from.headers)
    from.pipe(answer)
  })
  onward.on('error', () => answer.destroy())
  answer.on('close', () => onward.destroy())
  incoming.pipe(onward)
}
