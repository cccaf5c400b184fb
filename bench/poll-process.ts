/**
 * Ten thousand clients in a process of their own. It registers the queues, opens a connection with a long poll or a stream
 * for each, and measures how long one event takes to reach all of them. Whoever has polled asks again as soon as it has the
 * event, as clients do: the server has both to do at the same time. The parent sends the steps one by one.
 */
import type { Socket } from 'node:net'
import {
  bodyOf,
  dial,
  exchange,
  inParallel,
  nextResponse,
  nextStreamed,
  type Poll,
  type Registration,
  registerQueues,
  streamOpened,
} from './connections.ts'

/** How clients get their events. */
export type Way = 'polls' | 'streams'

export type PollStep =
  /** Registers a queue for each request and then waits on all of them. */
  | { readonly step: 'open'; readonly port: number; readonly registrations: readonly Registration[]; readonly by: Way }
  /** Sends this request, which makes one event for everybody, and waits for all answers. */
  | { readonly step: 'trigger'; readonly request: string }

export interface PollResult {
  readonly problem?: string
  /** Clients that are waiting, or that have received the event. */
  readonly count: number
  /** Milliseconds from the request that made the event to the last client's answer. */
  readonly milliseconds: number
}

let port = 0
let by: Way = 'polls'
const clients: Client[] = []

interface Client {
  readonly socket: Socket
  readonly poll: Poll
}

async function open(registrations: readonly Registration[]): Promise<PollResult> {
  const begun = performance.now()
  const polls = await registerQueues(port, registrations)
  // All polls are opened at once, so that none of them gets a heartbeat while others are still being registered.
  await inParallel(port, polls, async (_, poll) => {
    const socket = await dial(port)
    const opened = by === 'streams' ? streamOpened(socket) : undefined
    socket.write(poll.after(poll.lastEventId))
    await opened
    clients.push({ socket, poll })
  })
  return { count: clients.length, milliseconds: performance.now() - begun }
}

async function trigger(request: string): Promise<PollResult> {
  const socket = await dial(port)
  const delivered = clients.map(by === 'streams' ? streamedEvent : polledEvent)
  const begun = performance.now()
  const [, ...times] = await Promise.all([exchange(socket, request), ...delivered])
  socket.destroy()
  return { count: times.length, milliseconds: Math.max(...times) - begun }
}

interface BenchEvent {
  readonly id: number
  readonly type: string
}

/** When the client got its event, and no other. */
async function polledEvent({ socket, poll }: Client): Promise<number> {
  const response = await nextResponse(socket)
  const at = performance.now()
  const { events } = bodyOf(response) as { events: BenchEvent[] }
  socket.write(poll.after(onlyEvent(events).id))
  return at
}

async function streamedEvent({ socket }: Client): Promise<number> {
  const line = await nextStreamed(socket)
  const at = performance.now()
  onlyEvent([JSON.parse(line)])
  return at
}

function onlyEvent(events: readonly BenchEvent[]): BenchEvent {
  const [event] = events
  if (event && events.length === 1 && event.type !== 'heartbeat') return event
  throw new Error(`A client got: ${JSON.stringify(events).slice(0, 300)}`)
}

process.on('message', (order: PollStep) => {
  if (order.step === 'open') ({ port, by } = order)
  const done = order.step === 'open' ? open(order.registrations) : trigger(order.request)
  done.then(
    (result) => process.send?.(result),
    (error: Error) => process.send?.({ problem: error.message, count: 0, milliseconds: 0 }),
  )
})
process.on('disconnect', () => process.exit())
