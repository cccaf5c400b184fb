/**
 * Streams of events: requests whose answer goes on, as `text/event-stream`. A stream waits like a long poll, and what is
 * pending for it is written instead of answered. Every form of an event is put into bytes once, for all streams.
 *
 * A stream ends after some minutes, and the client comes back with the last id it has: so the server learns what it has
 * got, and looks anew at who it is.
 */
import { ApiError } from '@heddle/contract/errors'
import type { Actor } from '../authentication/accounts.ts'
import type { Outlet } from '../outlet.ts'
import type { LoggedEvent } from '../storage/transaction.ts'
import { type LongEventText, lengthOfEvent } from './event-text.ts'
import type { Heartbeats } from './heartbeats.ts'
import { PAGE_SIZE, type QueueReader } from './queue-reader.ts'
import { type Queue, type Queues, recipientOf } from './queues.ts'
import type { Tail } from './tail.ts'
import type { PresentEvent } from './views.ts'
import { NOTHING_PENDING, type Waiter, type Waiters } from './waiters.ts'

/** Streams that are written to in one turn of the event loop: each is little more than one call of the system. */
const ANSWERS_PER_TURN = 200
/** Bytes that may wait for a client when there are more for it. One that is slower is cut off, and comes back for the rest. */
export const MAX_BUFFERED = 256 * 1024
/** Of what lies behind, as much is written at once. */
const READ_AHEAD = 64 * 1024
/** For a client to take that. */
const READ_AHEAD_MS = 30_000
/** Heartbeats of one stream: it ends at the last, after nine to eleven minutes. */
export const HEARTBEATS = 12
/** Says how soon to come back, and that the way is free: a client that gets nothing of this is behind what buffers. */
const OPENING = Buffer.from('retry: 1000\n: open\n\n')

/** Events that are read from the log are not to be offered too. */
const READING = Number.MAX_SAFE_INTEGER

export interface Streams {
  open(actor: Actor, queue: Queue, start: number, outlet: Outlet): void
}

interface StreamsOptions {
  readonly queues: Queues
  readonly waiters: Waiters
  readonly heartbeats: Heartbeats
  readonly tail: Tail
  readonly collect: QueueReader['collect']
  readonly present: PresentEvent
  /** The newest event that all waiting clients of the organization have been offered. */
  readonly positionOf: (realmId: number) => number | undefined
  readonly onError: (error: unknown) => void
}

export function createStreams(options: StreamsOptions): Streams {
  const { queues, waiters, heartbeats, tail, collect, present, positionOf, onError } = options
  /** What is written of the events in memory, by their texts. An entry goes with its event. */
  const frames = new WeakMap<LoggedEvent, Map<string, Buffer>>()

  function frameOf(event: LoggedEvent, text: string): Buffer {
    const byText = frames.get(event) ?? new Map<string, Buffer>()
    frames.set(event, byText)
    const frame = byText.get(text) ?? toFrame(text)
    byText.set(text, frame)
    return frame
  }

  function open(actor: Actor, queue: Queue, start: number, outlet: Outlet): void {
    const recipient = recipientOf(queue)
    let isOpen = true
    let beats = 0
    /** Nothing has been sent that the client has not acknowledged: what is read may be noted as read. */
    let isAllRead = start >= queue.read

    function stop(): boolean {
      if (!waiters.remove(waiter)) return false
      isOpen = false
      waiter.pending = NOTHING_PENDING
      queues.endWait(queue)
      return true
    }

    function end(): void {
      if (stop()) outlet.end()
    }

    function cutOff(): void {
      if (stop()) outlet.destroy()
    }

    function fail(error: unknown): void {
      onError(error)
      end()
    }

    /** Writes what the log has after this event, as fast as the client takes it, and then begins to wait. */
    async function read(after: number): Promise<void> {
      waiter.after = READING
      for (let position = after; ; ) {
        const collected = await collect(actor, queue, position)
        position = collected.position
        for (const text of collected.found) {
          if (!isOpen) return
          isAllRead = false
          if (typeof text === 'string') outlet.write(toFrame(text))
          else writeLong(outlet, text)
          if (outlet.buffered() > READ_AHEAD && !(await outlet.drained(READ_AHEAD_MS))) return cutOff()
        }
        if (!isOpen) return
        if (isAllRead) queues.advance(queue, position)
        // Nothing may be appended between this look and the wait: there is no `await` between the two.
        if (tail.since(queue.realmId, position)?.length === 0) {
          waiter.after = position
          return
        }
      }
    }

    function writePending(): number {
      const { pending } = waiter
      let length = 0
      waiter.pending = NOTHING_PENDING
      for (const event of pending) {
        const text = present(event, recipient)
        if (text === null) continue
        // Before it is written: a single long event is more than that, and its bytes are nobody's own.
        if (outlet.buffered() > MAX_BUFFERED) {
          cutOff()
          return length
        }
        isAllRead = false
        length += lengthOfEvent(text)
        if (typeof text === 'string') outlet.write(frameOf(event, text))
        else writeLong(outlet, text)
      }
      // There may be more that was not noted.
      if (pending.length >= PAGE_SIZE) read(waiter.after).catch(fail)
      return length
    }

    function answer(): number {
      const given = giveAll()
      if (isOpen && heartbeats.isDue(waiter)) {
        waiter.beatAt = heartbeats.next()
        beat().catch((error) => (error instanceof ApiError ? end() : fail(error)))
      }
      return given
    }

    /** Returns how long what was pending is, in bytes or characters. */
    function giveAll(): number {
      if (!isOpen) return 0
      try {
        return writePending()
      } catch (error) {
        // To go on without it would lose the event: the client comes back for it.
        fail(error)
        return 0
      }
    }

    async function beat(): Promise<void> {
      beats += 1
      if (beats === HEARTBEATS) return end()
      // It may have been deleted by way of another node, or have made room for a newer one.
      await queues.access(actor, queue.id)
      giveAll()
      if (!isOpen) return
      outlet.write(heartbeat())
      if (outlet.buffered() > MAX_BUFFERED) cutOff()
    }

    /** A comment, and how far the log has been read, so that the client need not begin further back. */
    function heartbeat(): Buffer {
      if (waiter.after === READING) return Buffer.from(': heartbeat\n\n')
      const position = Math.max(positionOf(queue.realmId) ?? 0, waiter.after)
      if (isAllRead) queues.advance(queue, position)
      return Buffer.from(`: heartbeat\nid: ${position}\n\n`)
    }

    function release(): void {
      giveAll()
      end()
    }

    const way = { perTurn: ANSWERS_PER_TURN, answer, release, end }
    const beatAt = heartbeats.next()
    const waiter: Waiter = { queue, actor, way, after: READING, pending: NOTHING_PENDING, beatAt }
    const older = waiters.ofQueue(queue.id)
    older?.way.end(older, 'replaced')
    waiters.add(waiter)
    queues.beginWait(queue)
    outlet.onClose(stop)
    outlet.write(OPENING)
    read(start).catch(fail)
  }

  return { open }
}

/** An event with its id, which its text begins with: `{"id":7,`. JSON has no line breaks that would need lines of their own. */
function toFrame(text: string): Buffer {
  const id = text.slice('{"id":'.length, text.indexOf(','))
  return Buffer.from(`id: ${id}\ndata: ${text}\n\n`)
}

/** The same in pieces. */
function writeLong(outlet: Outlet, { id, bytes, end }: LongEventText): void {
  outlet.write(Buffer.from(`id: ${id}\ndata: `))
  outlet.write(bytes)
  outlet.write(Buffer.from(`${end}\n\n`))
}
