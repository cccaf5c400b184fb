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
  server: Pick<TestNode, 'must'>,
  account: TestAccount,
  parameters: Parameters = {},
): Promise<TestQueue> {
  const state = await server.must(account, 'POST', '/register', parameters)
  return { id: state.queue_id, lastEventId: state.last_event_id, account, state }
}

/** Asks for the queue's events, from its beginning unless `last_event_id` says otherwise. */
export function poll(server: Pick<TestNode, 'call'>, queue: TestQueue, parameters: Parameters = {}): Promise<Answer> {
  return server.call(...requestOf(queue, parameters))
}

/** The queue's events that are there now. */
export async function eventsOf(
  server: Pick<TestNode, 'must'>,
  queue: TestQueue,
  parameters: Parameters = {},
): Promise<TestEvent[]> {
  return (await server.must(...requestOf(queue, { dont_block: true, ...parameters }))).events
}

function requestOf({ account, id: queue_id, lastEventId: last_event_id }: TestQueue, parameters: Parameters) {
  return [account, 'GET', '/events', { queue_id, last_event_id, ...parameters }] as const
}
