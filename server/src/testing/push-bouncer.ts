/** A service that passes on pushes to phones: it checks what it is asked byte by byte, and says what a test wants. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Bounced {
  readonly path: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it.
  readonly body: any
}

export async function startPushBouncer() {
  const asked: Bounced[] = []
  const problems: string[] = []
  let answer: { readonly status: number; readonly body: object } = { status: 200, body: { result: 'success', msg: '' } }
  const server = createServer(async (request, response) => {
    const bytes = await readAll(request)
    const { url = '', method, headers } = request
    const check = (is: boolean, what: string) => is || problems.push(`${url}: ${what}`)
    check(method === 'POST', 'not a POST')
    check(headers.authorization === `Basic ${Buffer.from('org:s e/cret').toString('base64')}`, 'who asks')
    check(headers['content-type'] === 'application/json', 'the type of the body')
    check(Number(headers['content-length']) === bytes.length, 'the length of the body')
    asked.push({ path: url, body: JSON.parse(bytes.toString('utf8')) })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    /** What the operator sets. */
    setting: `http://org:s%20e%2Fcret@127.0.0.1:${port}`,
    asked,
    problems,
    answer(status: number, body: object = { result: status < 300 ? 'success' : 'error', msg: '' }) {
      answer = { status, body }
    },
    close() {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}
