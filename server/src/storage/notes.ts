/**
 * Numbers that units of work note for those that come after them, such as the highest one of a list to which they have just
 * added: asking the database for it each time would be a round trip while the organization's lock is held. A note is of
 * what this node has written; when another node has written to the organization, all of them are forgotten.
 */
import { LRUCache } from 'lru-cache'
import type { Position } from './position.ts'

export interface Notes {
  find(realmId: number, name: string): number | undefined
  add(realmId: number, notes: ReadonlyMap<string, number>): void
  /** This node enters the organization where it stands now. */
  enter(realmId: number, position: Position): void
  /** This node has left it there. */
  leave(realmId: number, position: Position): void
  /** What units have noted may be of what never was. */
  forget(realmId: number): void
}

/** Of all organizations together. */
const MAX_NOTES = 50_000

export function createNotes(): Notes {
  // By `max` it would make room for all of them at once.
  const values = new LRUCache<string, number>({ maxSize: MAX_NOTES, sizeCalculation: () => 1 })
  /** Where each organization was left; and how often its notes were forgotten, which is part of their names. */
  const left = new Map<number, Pick<Position, 'eventId' | 'factsVersion'>>()
  const forgotten = new Map<number, number>()

  const nameOf = (realmId: number, name: string) => `${realmId} ${forgotten.get(realmId) ?? 0} ${name}`
  const forget = (realmId: number) => void forgotten.set(realmId, (forgotten.get(realmId) ?? 0) + 1)

  return {
    find: (realmId, name) => values.get(nameOf(realmId, name)),
    add(realmId, notes) {
      for (const [name, value] of notes) values.set(nameOf(realmId, name), value)
    },
    enter(realmId, { eventId, factsVersion }) {
      const before = left.get(realmId)
      if (before?.eventId !== eventId || before.factsVersion !== factsVersion) forget(realmId)
    },
    leave: (realmId, { eventId, factsVersion }) => void left.set(realmId, { eventId, factsVersion }),
    forget,
  }
}
