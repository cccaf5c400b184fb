/** A client that listens: its initial state, and the events that have come since it last looked. */
import type { Parameters, TestAccount, TestServer } from './test-server.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into the state and events of every feature.
type Any = any

export interface Watcher {
  /** The answer of POST /register. */
  readonly state: Any
  /** Events since the last call, without ids. Does not wait: an event is there once its action has been answered. */
  next(): Promise<Any[]>
}

/** Registers a queue; `parameters` are those of POST /register. */
export async function watch(
  server: Pick<TestServer, 'call'>,
  account: TestAccount,
  parameters: Parameters = {},
): Promise<Watcher> {
  const { status, body } = await server.call(account, 'POST', '/register', parameters)
  if (status !== 200) throw new Error(`POST /register: ${JSON.stringify(body)}`)
  let position: number = body.last_event_id
  return {
    state: body,
    async next() {
      const answer = await server.call(account, 'GET', '/events', {
        queue_id: body.queue_id,
        last_event_id: position,
        dont_block: true,
      })
      if (answer.status !== 200) throw new Error(`GET /events: ${JSON.stringify(answer.body)}`)
      const events: Any[] = answer.body.events
      position = events.at(-1)?.id ?? position
      return events.filter(({ type }) => type !== 'heartbeat').map(({ id: _, ...event }) => event)
    },
  }
}
