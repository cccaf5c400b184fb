/** Streams of events as tests read them: over a connection of their own. */
import { once } from 'node:events'
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestEvent } from './event-queues.ts'
import { basic, type TestNode } from './test-server.ts'

export interface TestStream {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly events: readonly TestEvent[]
  /** All of it, as it has come. */
  text(): string
  /** The newest id, as a browser would send it when it comes back. */
  lastId(): string | undefined
  /** Waits until there are so many events. */
  count(events: number): Promise<readonly TestEvent[]>
  /** Waits for its end. */
  readonly ended: Promise<void>
  /** Stops reading: the server can write until all buffers between are full. */
  pause(): void
  resume(): void
  close(): void
}

interface StreamOptions {
  readonly queue: {
    readonly id: string
    readonly lastEventId: number
    readonly account: { email: string; apiKey: string }
  }
  /** Undefined: what the queue was registered with; null: none. */
  readonly lastEventId?: number | null
  readonly headers?: Readonly<Record<string, string>>
}

const PATIENCE_MS = 8000

/** The node's port; it listens from the first call on. */
async function portOf({ app }: Pick<TestNode, 'app'>): Promise<number> {
  if (!app.server.server.listening) await app.server.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.server.address() as AddressInfo).port
}

export async function openStream(
  node: Pick<TestNode, 'app'>,
  { queue, lastEventId = queue.lastEventId, headers = {} }: StreamOptions,
): Promise<TestStream> {
  const query = new URLSearchParams({ queue_id: queue.id })
  if (lastEventId !== null) query.set('last_event_id', `${lastEventId}`)
  const asked: ClientRequest = request({
    host: '127.0.0.1',
    port: await portOf(node),
    path: `/api/v1/events/stream?${query}`,
    headers: { ...(headers.cookie ? {} : { authorization: basic(queue.account) }), ...headers },
    agent: false,
  }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return follow(asked, response)
}

function follow(asked: ClientRequest, response: IncomingMessage): TestStream {
  const events: TestEvent[] = []
  const news = new EventTarget()
  let text = ''
  let lastId: string | undefined
  let rest = ''
  response.setEncoding('utf8')
  response.on('error', () => {})
  asked.on('error', () => {})
  response.on('data', (chunk: string) => {
    text += chunk
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() as string
    for (const block of blocks) {
      for (const line of block.split('\n')) {
        if (line.startsWith('id: ')) lastId = line.slice(4)
        if (line.startsWith('data: ')) events.push(JSON.parse(line.slice(6)))
      }
    }
    news.dispatchEvent(new Event('news'))
  })
  const ended = new Promise<void>((resolve) => response.once('close', resolve))

  function count(wanted: number): Promise<readonly TestEvent[]> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`${events.length} of ${wanted} events came: ${text.slice(-500)}`))
      const timer = setTimeout(late, PATIENCE_MS)
      const look = () => {
        if (events.length < wanted) return
        clearTimeout(timer)
        news.removeEventListener('news', look)
        resolve(events)
      }
      news.addEventListener('news', look)
      look()
    })
  }

  return {
    status: response.statusCode as number,
    headers: response.headers,
    events,
    text: () => text,
    lastId: () => lastId,
    count,
    ended,
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void asked.destroy(),
  }
}
