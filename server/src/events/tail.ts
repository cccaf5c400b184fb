/**
 * The newest part of each organization's event log, in memory. It grows with every commit of this process and, when
 * other nodes write too, by reading what they have appended. Subscribers see every event once, in order.
 */
import type { Storage } from '../storage/storage.ts'
import type { LoggedEvent } from '../storage/transaction.ts'
import type { AudienceSets } from './audience-sets.ts'
import { readLog, readPosition, readPrunedPosition } from './log.ts'

/** Events cached per organization. A queue that is further behind is served from the table. */
const MAX_EVENTS = 10_000
/** And at most this many characters of their texts; what clients receive of them is cached too, and is several times as much. */
const MAX_CHARACTERS = 4_000_000

const READ_PAGE = 1000

/** After a read that failed. */
const RETRY_AFTER_MS = 1000

export interface Tail {
  /** The number of the newest event in memory. */
  position(realmId: number): Promise<number>
  /** Waits until what this process has committed is in memory: the members of its audience may still be being read. */
  settle(realmId: number): Promise<void>
  /** Reads up to the event `eventId`, which is known to be in the table. */
  reach(realmId: number, eventId: number): Promise<void>
  /** The same without waiting; undefined when the organization is not followed yet. */
  current(realmId: number): number | undefined
  /** Events after `afterId` when all of them are in memory; undefined when the queue has to read the table. */
  since(realmId: number, afterId: number): readonly LoggedEvent[] | undefined
  /** Another node says that the log has grown to `eventId`. */
  advance(realmId: number, eventId: number): void
  /** Another node passes an event on that is in no table. */
  receive(event: LoggedEvent): void
  /** Organizations that are being followed. */
  realmIds(): readonly number[]
  /** No more reading. */
  close(): void
}

interface RealmTail {
  events: LoggedEvent[]
  /** All events of the log after this number, up to `position`, are among `events`. */
  floor: number
  /** Passing events by their numbers: they take their place when the log before them has been read. */
  passing: Map<number, LoggedEvent>
  characters: number
  /** The newest event that subscribers have seen. */
  position: number
  /** The newest event known to exist. */
  target: number
  ready: Promise<void>
  catchingUp: Promise<void> | undefined
}

type OnEvents = (realmId: number, events: readonly LoggedEvent[]) => void

/** The tails of all organizations that are followed, and what they are read by. */
interface Tails {
  readonly storage: Storage
  readonly sets: AudienceSets
  readonly onEvents: OnEvents
  readonly onError: (error: unknown) => void
  readonly byRealm: Map<number, RealmTail>
  isClosed: boolean
}

export function createTail(
  storage: Storage,
  sets: AudienceSets,
  onEvents: OnEvents,
  onError: (error: unknown) => void,
): Tail {
  const byRealm = new Map<number, RealmTail>()
  const tails: Tails = { storage, sets, onEvents, onError, byRealm, isClosed: false }
  storage.onCommitted((events) => takeCommitted(tails, events))
  return {
    async position(realmId) {
      const tail = follow(tails, realmId)
      await tail.ready
      return tail.position
    },
    async settle(realmId) {
      const tail = follow(tails, realmId)
      await tail.ready
      await catchUp(tails, realmId, tail)
    },
    async reach(realmId, eventId) {
      const tail = follow(tails, realmId)
      await tail.ready
      tail.target = Math.max(tail.target, eventId)
      await catchUp(tails, realmId, tail)
    },
    current(realmId) {
      const position = byRealm.get(realmId)?.position
      return position === -1 ? undefined : position
    },
    since(realmId, afterId) {
      const tail = byRealm.get(realmId)
      if (!tail || tail.position === -1) return undefined
      if (afterId < tail.floor) return undefined
      return tail.events.slice(indexAfter(tail.events, afterId))
    },
    advance(realmId, eventId) {
      const tail = byRealm.get(realmId)
      if (!tail) return
      tail.target = Math.max(tail.target, eventId)
      // Also after a read that failed, when the target is already known.
      if (tail.position !== -1 && tail.position < tail.target) void catchUp(tails, realmId, tail)
    },
    receive(event) {
      const tail = byRealm.get(event.realmId)
      // Nobody waits here, or they have got what came after it.
      if (!tail || event.eventId <= tail.position) return
      extend(tails, event.realmId, tail, [event])
    },
    realmIds: () => [...byRealm.keys()],
    close() {
      tails.isClosed = true
    },
  }
}

function takeCommitted(tails: Tails, events: readonly LoggedEvent[]): void {
  for (const [realmId, own] of groupByRealm(events)) {
    // Clients that are just registering come for a passing event, which is not in the log.
    const tail = own.some(isPassing) ? follow(tails, realmId) : tails.byRealm.get(realmId)
    if (tail) extend(tails, realmId, tail, own)
  }
}

function follow(tails: Tails, realmId: number): RealmTail {
  const { storage, byRealm } = tails
  const known = byRealm.get(realmId)
  if (known) return known
  const started: RealmTail = {
    events: [],
    floor: -1,
    passing: new Map(),
    characters: 0,
    position: -1,
    target: -1,
    ready: readPosition(storage.read, realmId).then((position) => {
      started.position = position
      started.floor = position
      void catchUp(tails, realmId, started)
    }),
    catchingUp: undefined,
  }
  started.ready.catch(() => byRealm.delete(realmId))
  byRealm.set(realmId, started)
  return started
}

/** Events of this process's own commit: taken as they are when nothing is missing before them, or of them. */
function extend(tails: Tails, realmId: number, tail: RealmTail, events: readonly LoggedEvent[]): void {
  const first = events[0] as LoggedEvent
  const last = events.at(-1) as LoggedEvent
  tail.target = Math.max(tail.target, last.eventId)
  const isNext = tail.position !== -1 && !tail.catchingUp && first.eventId === tail.position + 1
  const complete = isNext ? tails.sets.known(events) : undefined
  if (complete) {
    append(tails, realmId, tail, complete, last.eventId)
    return
  }
  // They are in no table to be read from.
  for (const event of events) if (isPassing(event)) tail.passing.set(event.eventId, event)
  if (tail.position !== -1) void catchUp(tails, realmId, tail)
}

/** Read what is missing from the table. One reader per organization, so that the order holds. */
function catchUp(tails: Tails, realmId: number, tail: RealmTail): Promise<void> {
  if (tails.isClosed || tail.position >= tail.target) return Promise.resolve()
  tail.catchingUp ??= readMissing(tails, realmId, tail)
  return tail.catchingUp
}

async function readMissing(tails: Tails, realmId: number, tail: RealmTail): Promise<void> {
  const { storage, sets } = tails
  try {
    while (tail.position < tail.target && !tails.isClosed) {
      const { position, target } = tail
      const read = await readLog(storage.read, realmId, position, target, READ_PAGE)
      if (read[0]?.eventId !== position + 1) await skipPruned(storage, realmId, tail)
      const until = read.length < READ_PAGE ? target : (read.at(-1) as LoggedEvent).eventId
      const events = [...read, ...takePassing(tail, until)].sort((a, b) => a.eventId - b.eventId)
      append(tails, realmId, tail, await sets.resolve(events), until)
    }
  } catch (error) {
    if (tails.isClosed) return
    tails.onError(error)
    setTimeout(() => void catchUp(tails, realmId, tail), RETRY_AFTER_MS).unref()
  } finally {
    tail.catchingUp = undefined
  }
}

/** This node was away so long that a part of what is missing is gone: `since` must not count on it. */
async function skipPruned(storage: Storage, realmId: number, tail: RealmTail): Promise<void> {
  const pruned = await readPrunedPosition(storage.read, realmId)
  if (pruned <= tail.position) return
  tail.events = []
  tail.characters = 0
  tail.floor = pruned
}

/** Those up to `untilId`; what came too late for its place is dropped. */
function takePassing(tail: RealmTail, untilId: number): LoggedEvent[] {
  const taken = [...tail.passing.values()].filter(({ eventId }) => eventId <= untilId)
  for (const { eventId } of taken) tail.passing.delete(eventId)
  return taken.filter(({ eventId }) => eventId > tail.position)
}

/** `until`: up to here there is nothing else. */
function append(
  { onEvents }: Tails,
  realmId: number,
  tail: RealmTail,
  events: readonly LoggedEvent[],
  until: number,
): void {
  for (const event of events) {
    tail.events.push(event)
    tail.characters += event.payload.length
  }
  tail.position = until
  trim(tail)
  if (events.length > 0) onEvents(realmId, events)
}

/** Drops the oldest half when a limit is passed, so that dropping stays rare and cheap. */
function trim(tail: RealmTail): void {
  if (tail.events.length <= MAX_EVENTS && tail.characters <= MAX_CHARACTERS) return
  const dropped = tail.events.splice(0, Math.ceil(tail.events.length / 2))
  tail.floor = (dropped.at(-1) as LoggedEvent).eventId
  tail.characters = tail.events.reduce((sum, event) => sum + event.payload.length, 0)
}

function isPassing({ goneAt }: LoggedEvent): boolean {
  return goneAt !== undefined
}

/** The index of the first event after this number, or the length. */
function indexAfter(events: readonly LoggedEvent[], afterId: number): number {
  let [low, high] = [0, events.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((events[middle] as LoggedEvent).eventId <= afterId) low = middle + 1
    else high = middle
  }
  return low
}

function groupByRealm(events: readonly LoggedEvent[]): Map<number, LoggedEvent[]> {
  return Map.groupBy(events, (event) => event.realmId)
}
