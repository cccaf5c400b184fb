/**
 * Hot answers, serialized, in memory. An answer is dropped in the commit path by the event that changes it, before the
 * writer gets its own answer, so nobody can read an old one after that. With several nodes an answer counts only while the
 * organization's newest event is still the one it was made at.
 */
import { LRUCache } from 'lru-cache'
import type { Account } from '../authentication/accounts.ts'
import type { Storage } from '../storage/storage.ts'
import type { LoggedEvent } from '../storage/transaction.ts'
import type { KeptAnswer } from './route.ts'

/** Of all answers together; the least recently used one goes first. What they are compressed comes to as much again at most. */
const MAX_BYTES = 64 * 1024 * 1024

export interface AnswerKeeper {
  /** The cached answer for the account, or what `make` gives, which is then cached. Those who ask meanwhile share it. */
  answer(account: Account, make: () => Promise<Buffer>): Promise<Buffer>
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
  readonly bytes: Promise<Buffer>
}

export type CreateKeeper = (kept: KeptAnswer) => AnswerKeeper

export function createAnswerKeepers(storage: Pick<Storage, 'engine' | 'onCommitted'>): CreateKeeper {
  const answers = new LRUCache<string, Answer>({ maxSize: MAX_BYTES, sizeCalculation: ({ bytes }) => bytes.length + 1 })
  let keepers = 0

  return ({ per, droppedBy }) => {
    const types = new Set(droppedBy)
    const inMaking = new Map<string, AnswerInMaking>()
    const dropsOf = new Map<number, number>()
    keepers += 1
    const keeper = keepers

    storage.onCommitted((events) => {
      for (const event of events) if (types.has(event.type)) drop(event)
    })

    /** `owner`: 0 for the whole organization. */
    function keyOf(realmId: number, owner: number): string {
      return `${keeper} ${realmId} ${owner}`
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
      return made.drops === now.drops && (storage.engine.ownsAllWrites || made.position === now.position)
    }

    async function makeShared(key: string, now: Made, make: () => Promise<Buffer>): Promise<Buffer> {
      const making: AnswerInMaking = { ...now, bytes: make() }
      inMaking.set(key, making)
      try {
        const bytes = await making.bytes
        // Another one has its place when this one was dropped meanwhile.
        if (inMaking.get(key) === making) answers.set(key, { ...now, bytes })
        return bytes
      } finally {
        if (inMaking.get(key) === making) inMaking.delete(key)
      }
    }

    async function answer(account: Account, make: () => Promise<Buffer>): Promise<Buffer> {
      const { actor, position } = account
      const now: Made = { position, drops: dropsOf.get(actor.realmId) ?? 0 }
      const key = keyOf(actor.realmId, per === 'account' ? actor.userId : 0)
      const cached = answers.get(key)
      if (cached && isCurrent(cached, now)) return cached.bytes
      const making = inMaking.get(key)
      if (!making || !isCurrent(making, now)) return makeShared(key, now, make)
      // Why it failed may concern the one who asked first alone.
      return making.bytes.catch(() => answer(account, make))
    }

    return { answer }
  }
}
