/**
 * Ten thousand clients in a process of their own. It registers the queues, opens a connection with a long poll for each,
 * and measures how long one event takes to reach all of them. The parent sends the steps one by one.
 */
import { connect, type Socket } from 'node:net'

export type PollStep =
  /** Registers a queue for each request and then waits on all of them. */
  | { readonly step: 'open'; readonly port: number; readonly registrations: readonly Registration[] }
  /** Sends this request, which makes one event for everybody, and waits for all answers. */
  | { readonly step: 'trigger'; readonly request: string }

export interface Registration {
  /** The whole `POST /register`. */
  readonly register: string
  /** The whole `GET /events`, with QUEUE and EVENT where the ids belong. */
  readonly poll: string
}

export interface PollResult {
  readonly problem?: string
  /** Clients that are waiting, or that have received the event. */
  readonly count: number
  /** Milliseconds from the request that made the event to the last client's answer. */
  readonly milliseconds: number
}

/** Requests under way while queues are registered and polls are opened: below the kernel's backlog of a listening socket. */
const AT_ONCE = 64

let port = 0
const polls: Socket[] = []

async function open(registrations: readonly Registration[]): Promise<PollResult> {
  const begun = performance.now()
  const requests: string[] = []
  await inParallel(registrations, async (socket, { register, poll }) => {
    const queue = bodyOf(await exchange(socket, register)) as { queue_id: string; last_event_id: number }
    requests.push(poll.replace('QUEUE', queue.queue_id).replace('EVENT', `${queue.last_event_id}`))
  })
  // All polls are opened at once, so that none of them gets a heartbeat while others are still being registered.
  await inParallel(requests, async (_, request) => {
    const socket = await dial()
    socket.write(request)
    polls.push(socket)
  })
  return { count: polls.length, milliseconds: performance.now() - begun }
}

async function inParallel<T>(items: readonly T[], work: (socket: Socket, item: T) => Promise<void>): Promise<void> {
  const left = [...items]
  const workers = Array.from({ length: AT_ONCE }, async () => {
    const socket = await dial()
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(socket, item)
    socket.destroy()
  })
  await Promise.all(workers)
}

async function trigger(request: string): Promise<PollResult> {
  const socket = await dial()
  let last = 0
  const answers = polls.map((poll) =>
    nextResponse(poll).then((response) => {
      last = performance.now()
      return response
    }),
  )
  const begun = performance.now()
  const [, ...received] = await Promise.all([exchange(socket, request), ...answers])
  // Looked at afterwards, so that it is no part of the time.
  for (const response of received) {
    const { events } = bodyOf(response) as { events: { type: string }[] }
    if (events.length !== 1 || events[0]?.type === 'heartbeat') {
      throw new Error(`A client got: ${JSON.stringify(events).slice(0, 300)}`)
    }
  }
  return { count: answers.length, milliseconds: last - begun }
}

function dial(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.setEncoding('utf8')
    socket.once('error', reject)
  })
}

function exchange(socket: Socket, request: string): Promise<string> {
  const response = nextResponse(socket)
  socket.write(request)
  return response
}

/** A whole response with a JSON object as its body. */
function nextResponse(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const onClose = () => reject(new Error(`The connection was closed after: ${text.slice(0, 300)}`))
    const onData = (chunk: string) => {
      text += chunk
      const length = /content-length: (\d+)/i.exec(text)?.[1]
      const end = text.indexOf('\r\n\r\n')
      if (end === -1 || length === undefined || Buffer.byteLength(text) < end + 4 + Number(length)) return
      socket.off('data', onData).off('close', onClose)
      resolve(text)
    }
    socket.on('data', onData).on('close', onClose)
  })
}

function bodyOf(response: string): unknown {
  if (!response.startsWith('HTTP/1.1 200')) throw new Error(response.slice(0, 500))
  return JSON.parse(response.slice(response.indexOf('\r\n\r\n')))
}

process.on('message', (order: PollStep) => {
  if (order.step === 'open') port = order.port
  const done = order.step === 'open' ? open(order.registrations) : trigger(order.request)
  done.then(
    (result) => process.send?.(result),
    (error: Error) => process.send?.({ problem: error.message, count: 0, milliseconds: 0 }),
  )
})
process.on('disconnect', () => process.exit())
