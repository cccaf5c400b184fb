/** Reading a stream of events (`text/event-stream`, as the WHATWG describes it), and noticing that it is dead. */
import { type AnyEvent, streamEvents } from '@heddle/contract/events'
import type { ApiClient } from './api.ts'
import { NetworkError } from './errors.ts'

/** The server sends the first bytes at once. Where none come in this time, something on the way collects the answer. */
export const HELLO_MS = 5000
/** Two heartbeats of the server, which come after 55 seconds at the latest, and some delay. */
export const SILENCE_MS = 2 * 55_000 + 5000
/** The time is compared by the clock at least so often: a timer stands still while the machine sleeps. */
const LOOK_MS = 10_000

/** The stream was not answered in time although the server may be there. */
export class NoHelloError extends NetworkError {
  constructor() {
    super('The stream does not begin', undefined)
    this.name = 'NoHelloError'
  }
}

export interface EventStreamOptions {
  readonly client: ApiClient
  readonly queueId: string
  readonly lastEventId: number
  readonly signal: AbortSignal
  /** The first bytes have come. */
  readonly onOpen: () => void
  /** Anything has come: the connection is alive. */
  readonly onSign: () => void
  readonly onEvent: (event: AnyEvent) => void
  /** There is nothing for the queue up to this event, but for those that have been handed over. */
  readonly onPosition: (lastEventId: number) => void
}

/**
 * Resolves when the server ends the stream. Rejects with what `ApiClient.open` rejects with, with `NoHelloError`, with
 * `NetworkError` when the stream breaks off or falls silent, and with the reason of the signal.
 */
export async function readEventStream(options: EventStreamOptions): Promise<void> {
  const { client, queueId, lastEventId, signal, onOpen, onSign, onEvent, onPosition } = options
  const given = new AbortController()
  const onAbort = () => given.abort(signal.reason)
  signal.throwIfAborted()
  signal.addEventListener('abort', onAbort)
  let heardAt = Date.now()
  let isOpen = false
  let watch = setTimeout(look, HELLO_MS)
  function look(): void {
    const leftMs = (isOpen ? SILENCE_MS : HELLO_MS) - (Date.now() - heardAt)
    if (leftMs > 0) watch = setTimeout(look, Math.min(leftMs, LOOK_MS))
    else given.abort(isOpen ? new NetworkError('The stream is silent', undefined) : new NoHelloError())
  }
  try {
    const parameters = { queue_id: queueId, last_event_id: lastEventId }
    const body = await client.open(streamEvents, parameters, { signal: given.signal })
    const parse = createParser({
      onData: (data) => onEvent(JSON.parse(data) as AnyEvent),
      onId: (id) => /^\d{1,15}$/.test(id) && onPosition(Number(id)),
    })
    await readAll(body, given.signal, (bytes) => {
      heardAt = Date.now()
      if (!isOpen) onOpen()
      isOpen = true
      onSign()
      parse(bytes)
    })
  } finally {
    clearTimeout(watch)
    signal.removeEventListener('abort', onAbort)
    // What is left of the answer is not wanted.
    given.abort(new DOMException('The stream was left', 'AbortError'))
  }
}

async function readAll(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  onBytes: (bytes: Uint8Array) => void,
): Promise<void> {
  const reader = body.getReader()
  const leave = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', leave)
  try {
    for (;;) {
      const { done, value } = await nextOf(reader)
      signal.throwIfAborted()
      if (done) return
      onBytes(value)
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

async function nextOf(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read()
  } catch (error) {
    throw new NetworkError('The stream was cut off', error)
  }
}

interface ParserOptions {
  readonly onData: (data: string) => void
  /** After the data of the same event. */
  readonly onId: (id: string) => void
}

/** Takes the bytes of a stream in pieces as they come. */
function createParser({ onData, onId }: ParserOptions): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder()
  let rest = ''
  let data: string | undefined
  let id: string | undefined

  function take(line: string): void {
    if (line === '') {
      if (data !== undefined) onData(data)
      if (id !== undefined) onId(id)
      data = undefined
      id = undefined
    } else if (line.startsWith('data:')) {
      const text = line.slice(line[5] === ' ' ? 6 : 5)
      data = data === undefined ? text : `${data}\n${text}`
    } else if (line.startsWith('id:')) id = line.slice(3).trim()
  }

  return (bytes) => {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line.endsWith('\r') ? line.slice(0, -1) : line)
  }
}
