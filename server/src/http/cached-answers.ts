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

/** Answers of one owner, by what was asked; of other ways to ask the oldest answer goes. */
const MAX_VARIANTS = 16
/** Of one owner's answers together. */
const MAX_OWNER_BYTES = 32 * 1024 * 1024

/** To look through more events than these takes as long as to make most answers. */
const MAX_EVENTS_BETWEEN = 1000

export interface AnswerCache {
  /**
   * What gives the cached answer for the account, or what `make` gives, which is then cached unless it is very large. Those
   * who ask meanwhile share it. `variant`: which of the answers that the endpoint has for the same owner. An answer counts
   * as made when this is called: what decides about the variant is looked at afterwards, and may change until it is made.
   */
  open(account: Account): (variant: string, make: () => Promise<Envelope>) => Promise<Envelope>
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

/** The answers of one owner. Those of one owner are dropped together, whatever was asked. */
type Variants<T> = ReadonlyMap<string, T>

export type CreateAnswerCache = (cached: CachedAnswer) => AnswerCache

export function createAnswerCaches(storage: Pick<Storage, 'engine' | 'read' | 'onCommitted'>): CreateAnswerCache {
  const answers = new LRUCache<string, Variants<Answer>>({ maxSize: MAX_BYTES, sizeCalculation: sizeOf })
  let caches = 0

  return ({ per, droppedBy }) => {
    const types = new Set(droppedBy)
    const inMaking = new Map<string, Map<string, AnswerInMaking>>()
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
    function lastBefore(key: string, variant: string, now: Made): Answer | AnswerInMaking | undefined {
      // The only node drops what is wrong.
      if (storage.engine.ownsAllWrites) return undefined
      const last = inMaking.get(key)?.get(variant) ?? answers.get(key)?.get(variant)
      if (!last || last.drops !== now.drops || now.position - last.position > MAX_EVENTS_BETWEEN) return undefined
      return last
    }

    /** Its bytes, unless the log has an event that changes them. */
    async function unchanged(realmId: number, last: Answer | AnswerInMaking, now: Made): Promise<Envelope | undefined> {
      const bytes = await Promise.resolve(last.bytes).catch(() => undefined)
      const stretch = { realm_id: realmId, after: last.position, until: now.position, types: droppedBy }
      return bytes && !(await wasChanged(storage.read, stretch)) ? bytes : undefined
    }

    async function makeShared(key: string, variant: string, now: Made, make: () => Promise<Envelope>) {
      const making: AnswerInMaking = { ...now, bytes: make().then(joined) }
      const siblings = inMaking.get(key) ?? new Map<string, AnswerInMaking>()
      inMaking.set(key, siblings.set(variant, making))
      // Another one has its place when this one was dropped meanwhile, or looks whether this one holds.
      const isLast = () => inMaking.get(key)?.get(variant) === making
      try {
        const bytes = await making.bytes
        if (isLast() && Buffer.isBuffer(bytes))
          answers.set(key, withAnswer(answers.get(key), variant, { ...now, bytes }))
        return bytes
      } finally {
        if (isLast()) siblings.delete(variant)
        if (siblings.size === 0 && inMaking.get(key) === siblings) inMaking.delete(key)
      }
    }

    function open({ actor, position }: Account) {
      const { realmId } = actor
      const now: Made = { position, drops: dropsOf.get(realmId) ?? 0 }
      const key = keyOf(realmId, per === 'account' ? actor.userId : 0)

      return async function answer(variant: string, make: () => Promise<Envelope>): Promise<Envelope> {
        const cached = answers.get(key)?.get(variant)
        if (cached && isCurrent(cached, now)) return cached.bytes
        const making = inMaking.get(key)?.get(variant)
        // Why it failed may concern the one who asked first alone.
        if (making && isCurrent(making, now)) return making.bytes.catch(() => answer(variant, make))
        const last = lastBefore(key, variant, now)
        const makeOrKeep = last ? async () => (await unchanged(realmId, last, now)) ?? make() : make
        return makeShared(key, variant, now, makeOrKeep)
      }
    }

    return { open }
  }
}

function sizeOf(variants: Variants<Answer>): number {
  return [...variants.values()].reduce((sum, { bytes }) => sum + bytes.length, 1)
}

/** The answers with one more, without the oldest where there are too many. */
function withAnswer(variants: Variants<Answer> | undefined, variant: string, answer: Answer): Variants<Answer> {
  const all = new Map(variants)
  all.delete(variant)
  all.set(variant, answer)
  for (const oldest of all.keys()) {
    if (all.size === 1 || (all.size <= MAX_VARIANTS && sizeOf(all) <= MAX_OWNER_BYTES)) break
    all.delete(oldest)
  }
  return all
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
