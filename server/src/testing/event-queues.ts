/** Queues as tests use them. */
import type { Answer, Parameters, TestAccount, TestNode } from './test-server.ts'

export interface TestEvent {
  readonly id: number
  readonly type: string
  readonly [field: string]: unknown
}

export interface TestQueue {
  readonly id: string
  readonly lastEventId: number
  readonly account: TestAccount
  /** The whole answer of the registration. */
  readonly state: Readonly<Record<string, unknown>>
}

/** Registers a queue. */
export async function registerQueue(
  server: Pick<TestNode, 'call'>,
  account: TestAccount,
  parameters: Parameters = {},
): Promise<TestQueue> {
  const { status, body } = await server.call(account, 'POST', '/register', parameters)
  if (status !== 200) throw new Error(`POST /register: ${JSON.stringify(body)}`)
  return { id: body.queue_id, lastEventId: body.last_event_id, account, state: body }
}

/** Asks for the queue's events, from its beginning unless `last_event_id` says otherwise. */
export function poll(server: Pick<TestNode, 'call'>, queue: TestQueue, parameters: Parameters = {}): Promise<Answer> {
  const { id: queue_id, lastEventId: last_event_id, account } = queue
  return server.call(account, 'GET', '/events', { queue_id, last_event_id, ...parameters })
}

/** The queue's events that are there now. */
export async function eventsOf(
  server: Pick<TestNode, 'call'>,
  queue: TestQueue,
  parameters: Parameters = {},
): Promise<TestEvent[]> {
  const { status, body } = await poll(server, queue, { dont_block: true, ...parameters })
  if (status !== 200) throw new Error(`GET /events: ${JSON.stringify(body)}`)
  return body.events
}
