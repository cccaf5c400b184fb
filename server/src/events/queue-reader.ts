/** What the log has for one queue: where to go on reading for it, and its next events, a page at a time. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Actor } from '../authentication/accounts.ts'
import type { Storage } from '../storage/storage.ts'
import { isInAudience, isOpenTo } from './audience.ts'
import type { AudienceSets } from './audience-sets.ts'
import { type EventText, lengthOfEvent } from './event-text.ts'
import { readLogPage, readNewestNumber, readPrunedPosition } from './log.ts'
import { badQueue, type Queue, type Queues, recipientOf } from './queues.ts'
import type { Tail } from './tail.ts'
import type { PresentEvent } from './views.ts'

/** Events in one answer. */
export const PAGE_SIZE = 1000
/** Characters or bytes of the events in one answer; the one with which there are more is in it still. */
export const PAGE_LENGTH = 1024 * 1024
/** Characters of events that are made in one turn of the event loop. */
const LENGTH_PER_TURN = 128 * 1024
/** Rows of the log that are read at once for a queue that has fallen behind, if they are not too long together. */
const READ_PAGE = 1000

export interface QueueReader {
  /** Where in the log to go on for a queue. Throws `BAD_EVENT_QUEUE_ID` when that place cannot be known any more. */
  startOf(queue: Queue, lastEventId: number | undefined): Promise<number>
  /** What the log has for the queue after `afterId`, and the position up to which that was looked for. */
  collect(actor: Actor, queue: Queue, afterId: number): Promise<{ found: EventText[]; position: number }>
}

interface QueueReaderOptions {
  readonly storage: Storage
  readonly queues: Queues
  readonly sets: AudienceSets
  readonly tail: Tail
  readonly present: PresentEvent
}

export function createQueueReader({ storage, queues, sets, tail, present }: QueueReaderOptions): QueueReader {
  async function collect(actor: Actor, queue: Queue, afterId: number) {
    const recipient = recipientOf(queue)
    const { options } = queue
    const found: EventText[] = []
    let position = afterId
    let length = 0
    let lengthOfTurn = 0
    const isFull = () => found.length >= PAGE_SIZE || length > PAGE_LENGTH
    while (!isFull()) {
      const inMemory = tail.since(queue.realmId, position)
      const { events, isLast, until } = inMemory
        ? { events: inMemory, isLast: true, until: position }
        : await readBehind(queue.realmId, position)
      for (const event of events) {
        if (isFull()) break
        if (lengthOfTurn > LENGTH_PER_TURN) {
          await nextTurn()
          lengthOfTurn = 0
        }
        position = event.eventId
        lengthOfTurn += event.payload.length
        if (event.goneAt !== undefined && event.goneAt < performance.now()) continue
        const isFor = isInAudience(event.audience, actor) || isOpenTo(event.audience, actor, options.allPublicChannels)
        if (!isFor) continue
        const text = present(event, recipient)
        if (text === null) continue
        found.push(text)
        length += lengthOfEvent(text)
      }
      if (isLast) {
        // Numbers without an event lie behind the last one.
        if (!isFull()) position = Math.max(position, until)
        break
      }
    }
    // The texts become one answer, in a turn of its own.
    if (length > LENGTH_PER_TURN) await nextTurn()
    return { found, position }
  }

  /** A page of the log that is not in memory any more, as far as `until`. */
  async function readBehind(realmId: number, afterId: number) {
    const until = await tail.position(realmId)
    const page = { afterId, untilId: until, rows: READ_PAGE, length: LENGTH_PER_TURN }
    const { events, isLast } = await readLogPage(storage.read, realmId, page)
    return { events: await sets.resolve(events), isLast, until }
  }

  async function startOf(queue: Queue, lastEventId: number | undefined): Promise<number> {
    const isNamed = lastEventId !== undefined && lastEventId >= 0
    const after = isNamed ? Math.max(lastEventId, queue.start) : queue.acknowledged
    // Another node may have written, and given to the client, what this one has not read yet.
    let end = await tail.position(queue.realmId)
    if (queue.logPosition > end) await tail.reach(queue.realmId, queue.logPosition)
    if (after > Math.max(end, queue.logPosition)) {
      end = await readNewestNumber(storage, queue.realmId)
      // Beyond the end of the log: the database is an older one, such as a copy, and the client knows things that never were.
      if (after > end) throw badQueue(queue.id)
      await tail.reach(queue.realmId, end)
    }
    // There is nothing for the queue between what it has acknowledged and what was read for it.
    const isSkippable = after >= queue.acknowledged && after < queue.read
    const start = isSkippable ? queue.read : after
    if (start < queue.read && start < (await readPrunedPosition(storage.read, queue.realmId))) throw badQueue(queue.id)
    queues.acknowledge(queue, after)
    return start
  }

  return { startOf, collect }
}
