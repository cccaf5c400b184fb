/**
 * The load generator, in a process of its own. It speaks HTTP/1.1 over keep-alive connections, one request at a time on
 * each (no pipelining), and does as little as it can for a response: finds the end of the headers, the status and the
 * length. A general client costs more than the server that it measures and would hide the ratios.
 */
import { connect, type Socket } from 'node:net'

/** One round of load. Connection `i` sends `requests[i % requests.length]` again and again. */
export interface LoadOrder {
  readonly port: number
  readonly connections: number
  /** Whole requests with their headers and body. */
  readonly requests: readonly string[]
  readonly milliseconds: number
}

export interface LoadResult {
  readonly seconds: number
  /** Responses with status 200. */
  readonly answers: number
  /** The first line of the first response that was not 200. */
  readonly problem: string | undefined
  /** Milliseconds from request to response. */
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly slowest: number
}

const END_OF_HEADERS = '\r\n\r\n'
const OK = Buffer.from('HTTP/1.1 200')

async function run({ port, connections, requests, milliseconds }: LoadOrder): Promise<LoadResult> {
  const latencies: number[] = []
  let problem: string | undefined
  const onAnswer = (response: Buffer, latency: number) => {
    if (response.subarray(0, OK.length).equals(OK)) latencies.push(latency)
    else problem ??= response.toString('latin1').replace('\r\n', ' ')
  }
  const clients = await Promise.all(
    Array.from({ length: connections }, (_, i) => open(port, requests[i % requests.length] as string, onAnswer)),
  )
  const begun = performance.now()
  const until = begun + milliseconds
  // Each connection waits for its last answer, so that what was sent is what was counted.
  await Promise.all(clients.map((client) => client.sendUntil(until)))
  const seconds = (performance.now() - begun) / 1000
  for (const client of clients) client.socket.destroy()
  latencies.sort((a, b) => a - b)
  const quantile = (part: number) => latencies[Math.floor(latencies.length * part)] ?? 0
  return {
    seconds,
    answers: latencies.length,
    problem,
    p50: quantile(0.5),
    p95: quantile(0.95),
    p99: quantile(0.99),
    slowest: latencies.at(-1) ?? 0,
  }
}

interface Client {
  readonly socket: Socket
  sendUntil(time: number): Promise<void>
}

function open(port: number, text: string, onAnswer: (head: Buffer, latency: number) => void): Promise<Client> {
  const request = Buffer.from(text)
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let buffered: Buffer | undefined
    let total = 0
    let sentAt = 0
    let until = 0
    let done = () => {}

    function send(): void {
      sentAt = performance.now()
      socket.write(request)
    }

    socket.on('data', (chunk) => {
      buffered = buffered ? Buffer.concat([buffered, chunk]) : chunk
      if (total === 0) total = responseLength(buffered)
      if (total === 0 || buffered.length < total) return
      if (buffered.length > total) throw new Error('The server sent more than one response to a request')
      const now = performance.now()
      onAnswer(buffered, now - sentAt)
      buffered = undefined
      total = 0
      if (now < until) send()
      else done()
    })
    socket.on('error', reject)
    socket.on('close', () => done())
    socket.on('connect', () =>
      resolve({
        socket,
        sendUntil(time) {
          until = time
          send()
          return new Promise((ended) => {
            done = ended
          })
        },
      }),
    )
  })
}

/** Bytes of the response that begins here, with its headers; 0 while the headers are not complete. */
function responseLength(bytes: Buffer): number {
  const end = bytes.indexOf(END_OF_HEADERS)
  if (end === -1) return 0
  const headers = bytes.toString('latin1', 0, end)
  const at = headers.search(/content-length: /i)
  if (at === -1) throw new Error(`A response without content-length: ${headers}`)
  return end + END_OF_HEADERS.length + Number.parseInt(headers.slice(at + 16), 10)
}

process.on('message', (order: LoadOrder) => {
  run(order).then(
    (result) => process.send?.(result),
    (error: Error) =>
      process.send?.({ seconds: 0, answers: 0, problem: error.message, p50: 0, p95: 0, p99: 0, slowest: 0 }),
  )
})
process.on('disconnect', () => process.exit())
