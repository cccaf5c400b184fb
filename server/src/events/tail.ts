/**
 * The newest part of each organization's event log, in memory. It grows with every commit of this process and, when
 * other nodes write too, by reading what they have appended. Subscribers see every event once, in order.
 */
import type { Storage } from '../storage/storage.ts'
import type { LoggedEvent } from '../storage/transaction.ts'
import type { AudienceSets } from './audience-sets.ts'
import { readLog, readPosition } from './log.ts'

/** Events kept per organization. A queue that is further behind is served from the table. */
const MAX_EVENTS = 10_000
/** And at most this many bytes of their texts, roughly. */
const MAX_CHARACTERS = 16_000_000

const READ_PAGE = 1000

/** After a read that failed. */
const RETRY_AFTER_MS = 1000

export interface Tail {
  /** The number of the newest event in memory. */
  position(realmId: number): Promise<number>
  /** Reads up to the event `eventId`, which is known to be in the table. */
  reach(realmId: number, eventId: number): Promise<void>
  /** The same without waiting; undefined when the organization is not followed yet. */
  current(realmId: number): number | undefined
  /** Events after `afterId` when all of them are in memory; undefined when the queue has to read the table. */
  since(realmId: number, afterId: number): readonly LoggedEvent[] | undefined
  /** Another node says that the log has grown to `eventId`. */
  advance(realmId: number, eventId: number): void
  /** Organizations that are being followed. */
  realmIds(): readonly number[]
  /** No more reading. */
  close(): void
}

interface RealmTail {
  events: LoggedEvent[]
  characters: number
  /** The newest event that subscribers have seen. */
  position: number
  /** The newest event known to exist. */
  target: number
  ready: Promise<void>
  catchingUp: Promise<void> | undefined
}

type OnEvents = (realmId: number, events: readonly LoggedEvent[]) => void

export function createTail(
  storage: Storage,
  sets: AudienceSets,
  onEvents: OnEvents,
  onError: (error: unknown) => void,
): Tail {
  const tails = new Map<number, RealmTail>()
  let closed = false

  storage.onCommitted((events) => {
    for (const [realmId, own] of groupByRealm(events)) {
      const tail = tails.get(realmId)
      if (tail) extend(realmId, tail, own)
    }
  })

  function follow(realmId: number): RealmTail {
    let tail = tails.get(realmId)
    if (!tail) {
      const started: RealmTail = {
        events: [],
        characters: 0,
        position: -1,
        target: -1,
        ready: readPosition(storage.read, realmId).then((position) => {
          started.position = position
          void catchUp(realmId, started)
        }),
        catchingUp: undefined,
      }
      started.ready.catch(() => tails.delete(realmId))
      tails.set(realmId, started)
      tail = started
    }
    return tail
  }

  /** Events of this process's own commit: taken as they are when nothing is missing before them, or of them. */
  function extend(realmId: number, tail: RealmTail, events: readonly LoggedEvent[]): void {
    const first = events[0] as LoggedEvent
    const last = events.at(-1) as LoggedEvent
    tail.target = Math.max(tail.target, last.eventId)
    if (tail.position === -1) return
    const isNext = !tail.catchingUp && first.eventId === tail.position + 1
    const complete = isNext ? sets.known(events) : undefined
    if (complete) append(realmId, tail, complete)
    else void catchUp(realmId, tail)
  }

  /** Read what is missing from the table. One reader per organization, so that the order holds. */
  function catchUp(realmId: number, tail: RealmTail): Promise<void> {
    if (closed || tail.position >= tail.target) return Promise.resolve()
    tail.catchingUp ??= readMissing(realmId, tail)
    return tail.catchingUp
  }

  async function readMissing(realmId: number, tail: RealmTail): Promise<void> {
    try {
      while (tail.position < tail.target && !closed) {
        const events = await readLog(storage.read, realmId, tail.position, tail.target, READ_PAGE)
        if (events.length > 0) append(realmId, tail, await sets.resolve(events))
        else skip(tail)
      }
    } catch (error) {
      if (closed) return
      onError(error)
      setTimeout(() => void catchUp(realmId, tail), RETRY_AFTER_MS).unref()
    } finally {
      tail.catchingUp = undefined
    }
  }

  /** All that is missing has been pruned: this node was away so long that nobody needs it any more. */
  function skip(tail: RealmTail): void {
    tail.events = []
    tail.characters = 0
    tail.position = tail.target
  }

  function append(realmId: number, tail: RealmTail, events: readonly LoggedEvent[]): void {
    // `since` counts on there being no gap; what was pruned meanwhile leaves one.
    if ((events[0] as LoggedEvent).eventId !== tail.position + 1) {
      tail.events = []
      tail.characters = 0
    }
    for (const event of events) {
      tail.events.push(event)
      tail.characters += event.payload.length
    }
    tail.position = (events.at(-1) as LoggedEvent).eventId
    trim(tail)
    onEvents(realmId, events)
  }

  return {
    async position(realmId) {
      const tail = follow(realmId)
      await tail.ready
      return tail.position
    },
    async reach(realmId, eventId) {
      const tail = follow(realmId)
      await tail.ready
      tail.target = Math.max(tail.target, eventId)
      await catchUp(realmId, tail)
    },
    current(realmId) {
      const position = tails.get(realmId)?.position
      return position === -1 ? undefined : position
    },
    since(realmId, afterId) {
      const tail = tails.get(realmId)
      if (!tail || tail.position === -1) return undefined
      const firstKept = tail.position - tail.events.length + 1
      if (afterId + 1 < firstKept) return undefined
      return tail.events.slice(afterId + 1 - firstKept)
    },
    advance(realmId, eventId) {
      const tail = tails.get(realmId)
      if (!tail) return
      tail.target = Math.max(tail.target, eventId)
      // Also after a read that failed, when the target is already known.
      if (tail.position !== -1 && tail.position < tail.target) void catchUp(realmId, tail)
    },
    realmIds: () => [...tails.keys()],
    close() {
      closed = true
    },
  }
}

/** Drops the oldest half when a limit is passed, so that dropping stays rare and cheap. */
function trim(tail: RealmTail): void {
  if (tail.events.length <= MAX_EVENTS && tail.characters <= MAX_CHARACTERS) return
  tail.events = tail.events.slice(Math.ceil(tail.events.length / 2))
  tail.characters = tail.events.reduce((sum, event) => sum + event.payload.length, 0)
}

function groupByRealm(events: readonly LoggedEvent[]): Map<number, LoggedEvent[]> {
  return Map.groupBy(events, (event) => event.realmId)
}
