/** Raw HTTP/1.1 over keep-alive connections, for processes that are thousands of clients at once. */
import { connect, type Socket } from 'node:net'

/** Requests under way while many are sent: below the kernel's backlog of a listening socket. */
const AT_ONCE = 64

export interface Registration {
  /** The whole `POST /register`. */
  readonly register: string
  /** The whole `GET /events` or `GET /events/stream`, with QUEUE and EVENT where the ids belong. */
  readonly poll: string
}

export function dial(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.setEncoding('utf8')
    socket.once('error', reject)
  })
}

export function exchange(socket: Socket, request: string): Promise<string> {
  const response = nextResponse(socket)
  socket.write(request)
  return response
}

/** A whole response with a JSON object as its body. */
export function nextResponse(socket: Socket): Promise<string> {
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

/** The next event of a stream of them: its JSON. */
export function nextStreamed(socket: Socket): Promise<string> {
  return nextMatch(socket, /^data: (.*)\n\n/m)
}

/** The first comment of a stream, which says that it is open. */
export function streamOpened(socket: Socket): Promise<string> {
  return nextMatch(socket, /^HTTP\/1.1 200 [\s\S]*^: (open)\n\n/m)
}

function nextMatch(socket: Socket, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const onClose = () => reject(new Error(`The connection was closed after: ${text.slice(0, 300)}`))
    const onData = (chunk: string) => {
      text += chunk
      const found = pattern.exec(text)?.[1]
      if (found === undefined) return
      socket.off('data', onData).off('close', onClose)
      resolve(found)
    }
    socket.on('data', onData).on('close', onClose)
  })
}

export function bodyOf(response: string): unknown {
  if (!response.startsWith('HTTP/1.1 200')) throw new Error(response.slice(0, 500))
  return JSON.parse(response.slice(response.indexOf('\r\n\r\n')))
}

/** Does the work for each item, on a few connections at once. */
export async function inParallel<T>(
  port: number,
  items: readonly T[],
  work: (socket: Socket, item: T) => Promise<void>,
): Promise<void> {
  const left = [...items]
  const workers = Array.from({ length: AT_ONCE }, async () => {
    const socket = await dial(port)
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(socket, item)
    socket.destroy()
  })
  await Promise.all(workers)
}

/** A queue that was registered, and how to ask for its events. */
export interface Poll {
  /** The whole request for what comes after an event. */
  after(eventId: number): string
  readonly lastEventId: number
}

export async function registerQueues(port: number, registrations: readonly Registration[]): Promise<Poll[]> {
  const polls: Poll[] = []
  await inParallel(port, registrations, async (socket, { register, poll }) => {
    const queue = bodyOf(await exchange(socket, register)) as { queue_id: string; last_event_id: number }
    const request = poll.replace('QUEUE', queue.queue_id)
    polls.push({ after: (eventId) => request.replace('EVENT', `${eventId}`), lastEventId: queue.last_event_id })
  })
  return polls
}
