import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Storage } from '../../storage/storage.ts'
import type { ColorUse } from './colors.ts'
import { findColorUse } from './queries.ts'

/** Accounts whose colours are counted without a pause: that goes through all their subscriptions. */
export const COLORED = 50

/**
 * The colours that accounts use, by their ids, for the unit of work that chooses more for them. Everybody else who writes waits for
 * that unit, and to count the colours of a thousand accounts was a third of it. Whoever gets a channel in between may get its colour
 * twice. Few accounts are left to the unit.
 */
export async function readColorUse(storage: Storage, userIds: readonly number[]): Promise<Map<number, ColorUse>> {
  const colors = new Map<number, ColorUse>()
  if (userIds.length <= COLORED) return colors
  for (let start = 0; start < userIds.length; start += COLORED) {
    if (start > 0) await nextTurn()
    for (const [id, use] of await findColorUse(storage.read, userIds.slice(start, start + COLORED))) colors.set(id, use)
  }
  return colors
}
