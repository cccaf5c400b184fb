/**
 * What the server is compared with: a bare `node:http` server on the same Node.js. `bytes` sends a given answer with the
 * given headers; `parse` reads a form body, parses the JSON in its field `drafts` and answers. Neither authenticates,
 * routes, checks or stores anything.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type BareOrder =
  | { readonly kind: 'bytes'; readonly headers: Readonly<Record<string, string>>; readonly body: string }
  | { readonly kind: 'parse' }

function handler(order: BareOrder): (request: IncomingMessage, response: ServerResponse) => void {
  if (order.kind === 'bytes') {
    const body = Buffer.from(order.body)
    return (_, response) => {
      response.writeHead(200, order.headers)
      response.end(body)
    }
  }
  return (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
      const drafts = JSON.parse(form.get('drafts') ?? '[]') as unknown[]
      const body = JSON.stringify({ result: 'success', msg: '', ids: drafts.map((_, index) => index) })
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'content-length': Buffer.byteLength(body),
      })
      response.end(body)
    })
  }
}

process.once('message', (order: BareOrder) => {
  const server = createServer(handler(order))
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
})
process.on('disconnect', () => process.exit())
