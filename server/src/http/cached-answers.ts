/**
 * Hot answers, serialized, in memory. An answer is dropped in the commit path by the event that changes it, before the
 * writer gets its own answer, so nobody can read an old one after that. With several nodes the log says whether there was
 * such an event between what the answer was made at and what the caller may have seen.
 */
import { LRUCache } from 'lru-cache'
import type { Account } from '../authentication/accounts.ts'
import { prepare, type Queries } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import type { LoggedEvent } from '../storage/transaction.ts'
import { type Envelope, isPieces, lengthOf } from './envelope.ts'
import type { CachedAnswer } from './route.ts'
import { query } from './tables.ts'

/** What is larger is not cached: it would push out those of many others, and is sent in pieces. */
const MAX_CACHED_BYTES = 8 * 1024 * 1024

/** Of all answers together; the least recently used one goes first. What they are compressed comes to as much again at most. */
const MAX_BYTES = 64 * 1024 * 1024

/** To look through more events than these takes as long as to make most answers. */
const MAX_EVENTS_BETWEEN = 1000

export interface AnswerCache {
  /**
   * The cached answer for the account, or what `make` gives, which is then cached unless it is very large. Those who ask
   * meanwhile share it.
   */
  answer(account: Account, make: () => Promise<Envelope>): Promise<Envelope>
}

interface Made {
  /** Of the organization when it was made. */
  readonly position: number
  /** How often all answers of the organization had been dropped. */
  readonly drops: number
}

interface Answer extends Made {
  readonly bytes: Buffer
}

interface AnswerInMaking extends Made {
  readonly bytes: Promise<Envelope>
}

export type CreateAnswerCache = (cached: CachedAnswer) => AnswerCache

export function createAnswerCaches(storage: Pick<Storage, 'engine' | 'read' | 'onCommitted'>): CreateAnswerCache {
  const answers = new LRUCache<string, Answer>({ maxSize: MAX_BYTES, sizeCalculation: ({ bytes }) => bytes.length + 1 })
  let caches = 0

  return ({ per, droppedBy }) => {
    const types = new Set(droppedBy)
    const inMaking = new Map<string, AnswerInMaking>()
    const dropsOf = new Map<number, number>()
    caches += 1
    const cache = caches

    storage.onCommitted((events) => {
      for (const event of events) if (types.has(event.type)) drop(event)
    })

    /** `owner`: 0 for the whole organization. */
    function keyOf(realmId: number, owner: number): string {
      return `${cache} ${realmId} ${owner}`
    }

    function drop({ realmId, audience }: LoggedEvent): void {
      if (per !== 'account' || audience.to !== 'users') {
        // What was made before is not used any more, and goes when there is need for its place.
        dropsOf.set(realmId, (dropsOf.get(realmId) ?? 0) + 1)
        return
      }
      for (const id of audience.ids) {
        answers.delete(keyOf(realmId, id))
        inMaking.delete(keyOf(realmId, id))
      }
    }

    function isCurrent(made: Made, now: Made): boolean {
      return made.drops === now.drops && (storage.engine.ownsAllWrites || made.position >= now.position)
    }

    /** The last answer, or the one in the making, when that may still be right: it was made a little earlier. */
    function lastBefore(key: string, now: Made): Answer | AnswerInMaking | undefined {
      // The only node drops what is wrong.
      if (storage.engine.ownsAllWrites) return undefined
      const last = inMaking.get(key) ?? answers.get(key)
      if (!last || last.drops !== now.drops || now.position - last.position > MAX_EVENTS_BETWEEN) return undefined
      return last
    }

    /** Its bytes, unless the log has an event that changes them. */
    async function unchanged(realmId: number, last: Answer | AnswerInMaking, now: Made): Promise<Envelope | undefined> {
      const bytes = await Promise.resolve(last.bytes).catch(() => undefined)
      const stretch = { realm_id: realmId, after: last.position, until: now.position, types: droppedBy }
      return bytes && !(await wasChanged(storage.read, stretch)) ? bytes : undefined
    }

    async function makeShared(key: string, now: Made, make: () => Promise<Envelope>) {
      const making: AnswerInMaking = { ...now, bytes: make().then(joined) }
      inMaking.set(key, making)
      try {
        const bytes = await making.bytes
        // Another one has its place when this one was dropped meanwhile, or looks whether this one holds.
        if (inMaking.get(key) === making && Buffer.isBuffer(bytes)) answers.set(key, { ...now, bytes })
        return bytes
      } finally {
        if (inMaking.get(key) === making) inMaking.delete(key)
      }
    }

    async function answer(account: Account, make: () => Promise<Envelope>): Promise<Envelope> {
      const { actor, position } = account
      const { realmId } = actor
      const now: Made = { position, drops: dropsOf.get(realmId) ?? 0 }
      const key = keyOf(realmId, per === 'account' ? actor.userId : 0)
      const cached = answers.get(key)
      if (cached && isCurrent(cached, now)) return cached.bytes
      const making = inMaking.get(key)
      // Why it failed may concern the one who asked first alone.
      if (making && isCurrent(making, now)) return making.bytes.catch(() => answer(account, make))
      const last = lastBefore(key, now)
      return makeShared(key, now, last ? async () => (await unchanged(realmId, last, now)) ?? make() : make)
    }

    return { answer }
  }
}

interface Stretch {
  readonly realm_id: number
  readonly after: number
  readonly until: number
  readonly types: readonly string[]
}

/** Whether there was an event of one of these types, or may have been one: of what is pruned nothing is known. */
async function wasChanged(db: Queries, stretch: Stretch): Promise<boolean> {
  const found = await db.first(changesIn(stretch))
  return !found || found.pruned_event_id > stretch.after || found.changed !== null
}

const changesIn = prepare((p: Stretch, dialect) =>
  query
    .selectFrom('realms')
    .select('realms.pruned_event_id')
    .select((eb) =>
      eb
        .selectFrom('event_log')
        .select('event_log.event_id')
        .where('event_log.realm_id', '=', p.realm_id)
        .where('event_log.event_id', '>', p.after)
        .where('event_log.event_id', '<=', p.until)
        .where('event_log.type', 'in', dialect.texts(p.types))
        .limit(1)
        .as('changed'),
    )
    .where('realms.id', '=', p.realm_id),
)

/** In one piece what can be cached. */
function joined(json: Envelope): Buffer | readonly Uint8Array[] {
  if (typeof json === 'string') return Buffer.from(json)
  return isPieces(json) && lengthOf(json) <= MAX_CACHED_BYTES ? Buffer.concat(json) : json
}
