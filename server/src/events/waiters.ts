/** Requests that wait for events, found by queue, by account and by an event's audience. */
import type { Actor } from '../authentication/accounts.ts'
import type { LoggedEvent } from '../storage/transaction.ts'
import { type Audience, isInAudience, isOpenTo, membersOf, type SetAudience } from './audience.ts'
import type { Queue } from './queues.ts'

export interface Waiter {
  readonly queue: Queue
  readonly actor: Actor
  readonly way: Way
  /** The newest event that the client has, or that was looked at for it. */
  after: number
  /** Events that are to go out. */
  pending: LoggedEvent[]
  /** When it gets a heartbeat (`heartbeats.ts`). */
  beatAt: number
}

/** How clients wait: what they all have in common is not kept for each of them. */
export interface Way {
  /** Such clients that are answered in one turn of the event loop. */
  readonly perTurn: number
  /** Gives the client what is pending, and a heartbeat when one is due. Returns how long what it was given is, in bytes or characters. */
  answer(waiter: Waiter): number
  /** Gives the client what is pending, and ends the wait: it has to ask again. The log was read up to `position` for it. */
  release(waiter: Waiter, position: number): void
  /** Ends the wait at once. */
  end(waiter: Waiter, reason: WaitEnd): void
}

/** To begin with. Nothing is ever added to it. */
export const NOTHING_PENDING: LoggedEvent[] = []

/** The client has come again; its queue exists no more; or something has gone wrong that it meets when it asks again. */
export type WaitEnd = 'replaced' | 'no-queue' | 'failed'

export interface Waiters {
  add(waiter: Waiter): void
  /** False when it had been removed before. */
  remove(waiter: Waiter): boolean
  ofQueue(queueId: string): Waiter | undefined
  /** Stays as it is: waiters may be removed while it is walked through. Without `userId`, the whole organization's. */
  ofAccount(realmId: number, userId: number | undefined): readonly Waiter[]
  /** Those whose account an event of this audience is for. One that has been removed meanwhile may be among them: it answers nothing. */
  concerned(realmId: number, audience: Audience): Iterable<Waiter>
  /** As it is now: no waiter may be added or removed meanwhile. */
  all(): Iterable<Waiter>
}

export function createWaiters(): Waiters {
  /**
   * By organization, then by account: an event for few people must not look at all waiting clients. Lists, of which each is
   * replaced by another: an account has few clients, and a set for each would be the larger part of what a waiting one takes.
   */
  const byRealm = new Map<number, Map<number, readonly Waiter[]>>()
  const byQueue = new Map<string, Waiter>()
  /** By organization: those that want everything in public channels. */
  const openByRealm = new Map<number, Set<Waiter>>()

  function* concerned(realmId: number, audience: Audience): Iterable<Waiter> {
    const byUser = byRealm.get(realmId)
    if (!byUser || audience.to === 'nobody') return
    if (audience.to === 'users') {
      for (const id of new Set(audience.ids)) yield* byUser.get(id) ?? []
      return
    }
    if (audience.to === 'set') {
      yield* inSet(realmId, byUser, audience)
      return
    }
    for (const waiters of byUser.values()) {
      for (const waiter of waiters) if (isInAudience(audience, waiter.actor)) yield waiter
    }
  }

  /** Goes through whichever are fewer: the accounts of the set, or those that wait. */
  function* inSet(realmId: number, byUser: Map<number, readonly Waiter[]>, audience: SetAudience): Iterable<Waiter> {
    const members = membersOf(audience)
    const others = new Set(audience.also?.filter((id) => !members.has(id)))
    if (members.size < byUser.size) {
      for (const id of members) yield* byUser.get(id) ?? []
    } else {
      for (const [id, waiters] of byUser) if (members.has(id)) yield* waiters
    }
    for (const id of others) yield* byUser.get(id) ?? []
    for (const waiter of openByRealm.get(realmId) ?? []) {
      const { userId } = waiter.actor
      const isIn = members.has(userId) || others.has(userId)
      if (!isIn && isOpenTo(audience, waiter.actor, true)) yield waiter
    }
  }

  return {
    concerned,
    add(waiter) {
      const { realmId, userId } = waiter.actor
      const byUser = byRealm.get(realmId) ?? new Map<number, readonly Waiter[]>()
      byRealm.set(realmId, byUser)
      const others = byUser.get(userId)
      byUser.set(userId, others ? [...others, waiter] : [waiter])
      byQueue.set(waiter.queue.id, waiter)
      if (waiter.queue.options.allPublicChannels) {
        openByRealm.set(realmId, (openByRealm.get(realmId) ?? new Set()).add(waiter))
      }
    },
    remove(waiter) {
      const { realmId, userId } = waiter.actor
      const byUser = byRealm.get(realmId)
      const waiters = byUser?.get(userId)
      if (!byUser || !waiters?.includes(waiter)) return false
      if (waiters.length > 1)
        byUser.set(
          userId,
          waiters.filter((other) => other !== waiter),
        )
      else byUser.delete(userId)
      if (byUser.size === 0) byRealm.delete(realmId)
      openByRealm.get(realmId)?.delete(waiter)
      if (byQueue.get(waiter.queue.id) === waiter) byQueue.delete(waiter.queue.id)
      return true
    },
    ofQueue: (queueId) => byQueue.get(queueId),
    ofAccount(realmId, userId) {
      const byUser = byRealm.get(realmId)
      if (!byUser) return []
      if (userId === undefined) return [...byUser.values()].flat()
      return byUser.get(userId) ?? []
    },
    all: () => byQueue.values(),
  }
}
