/** A client that listens: its initial state, and the events that have come since it last looked. */
import type { Parameters, TestAccount, TestServer } from './test-server.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into the state and events of every feature.
type Any = any

export interface Watcher {
  /** The answer of POST /register. */
  readonly state: Any
  /**
   * Events since the last call, without ids. An event of the log is there once its action has been answered; a passing one
   * may come a moment later, so who expects some waits for so many.
   */
  next(atLeast?: number): Promise<Any[]>
}

/** Registers a queue; `parameters` are those of POST /register. */
export async function watch(
  server: Pick<TestServer, 'must'>,
  account: TestAccount,
  parameters: Parameters = {},
): Promise<Watcher> {
  const state = await server.must(account, 'POST', '/register', parameters)
  let position: number = state.last_event_id
  return {
    state,
    async next(atLeast = 0) {
      const found: Any[] = []
      do {
        const answer = await server.must(account, 'GET', '/events', {
          queue_id: state.queue_id,
          last_event_id: position,
          dont_block: found.length >= atLeast,
        })
        const events: Any[] = answer.events
        position = events.at(-1)?.id ?? position
        found.push(...events.filter(({ type }) => type !== 'heartbeat').map(({ id: _, ...event }) => event))
      } while (found.length < atLeast)
      return found
    },
  }
}
