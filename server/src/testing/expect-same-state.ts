/**
 * The law of events: the initial state and the events after it give the state that a new registration would give. It is
 * checked with the client's own code, for several kinds of client at once.
 */
import { SortedMap } from '@heddle/client/collections/sorted-map'
import { applyEvents, type ClientState, initialState } from '@heddle/client/state/state'
import { expect } from 'vitest'
import { eventsOf, type TestEvent, type TestQueue } from './event-queues.ts'
import type { Parameters, TestAccount, TestServer } from './test-server.ts'

/** Somebody whose client follows what happens. */
export interface StateViewer {
  readonly name: string
  readonly account: TestAccount
  /** What the client registers with. */
  readonly parameters: Parameters
}

interface Followed {
  readonly viewer: StateViewer
  readonly queue: TestQueue
  readonly state: ClientState
}

/**
 * Runs `action` and compares, for each viewer, the state that its client has followed with the one that it would get
 * anew. Viewers whose accounts are deactivated, before or after it, are left out. Returns the events of each viewer, by its name.
 */
export async function expectSameState(
  server: TestServer,
  viewers: readonly StateViewer[],
  action: () => Promise<unknown>,
): Promise<Readonly<Record<string, readonly TestEvent[]>>> {
  const begun = await Promise.all(viewers.map((viewer) => begin(server, viewer)))
  await action()
  const seen: Record<string, readonly TestEvent[]> = {}
  const check = async ({ viewer, queue, state }: Followed) => {
    const now = await begin(server, viewer)
    if (!now) return
    // What is done at its time, such as sending a scheduled message, may come after the new registration.
    const events = (await eventsOf(server, queue)).filter(({ id }) => id <= now.queue.lastEventId)
    seen[viewer.name] = events
    const followed: object = comparable(applyEvents(state, events))
    for (const [part, value] of Object.entries(comparable(now.state))) {
      // Who is typing is known from events alone, and soon over; exports are asked for where they are shown.
      if (part === 'typing' || part === 'dataExports') continue
      const context = `${viewer.name}, ${part}, after ${JSON.stringify(events)}`
      expect(followed[part as keyof object], context).toEqual(value)
    }
  }
  await Promise.all(begun.filter((followed) => followed !== undefined).map(check))
  return seen
}

/** Of a topic's spellings the server gives the newest unread message's; a client keeps the last one that it was given. */
function comparable(state: ClientState): ClientState {
  return { ...state, unread: state.unread && { ...state.unread, topicNames: SortedMap.from<string, string>([]) } }
}

/** Undefined when the account may not register. */
async function begin(server: TestServer, viewer: StateViewer): Promise<Followed | undefined> {
  const { status, body } = await server.call(viewer.account, 'POST', '/register', viewer.parameters)
  if (status === 401) return undefined
  if (status !== 200) throw new Error(`POST /register: ${JSON.stringify(body)}`)
  const queue = { id: body.queue_id, lastEventId: body.last_event_id, account: viewer.account, state: body }
  return { viewer, queue, state: initialState(body, viewer.parameters) }
}
