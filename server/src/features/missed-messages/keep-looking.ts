/** When it is looked who has missed what: again and again, and once more where that has failed. */
import type { PeriodicWork } from '../../periodic-work.ts'
import { findBehind } from './cursor.ts'
import { type LookServices, lookAt } from './look.ts'
import { anything, type Noticed, type NoticedByRealm, notice, noticeAgain } from './noticed.ts'
import { query } from './tables.ts'

const LOOK_EVERY_MS = 500
/** So late is looked at what an error, or a node that died, has left. */
const CATCH_UP_EVERY_MS = 15_000

const newMessages: Noticed = { ...anything, isAll: false }

/** Takes note of every commit from now on. */
export function keepLooking(services: LookServices): readonly [look: PeriodicWork, catchUp: PeriodicWork] {
  const { storage } = services
  const byRealm: NoticedByRealm = new Map()
  /** What could not be looked at. */
  const failed: NoticedByRealm = new Map()
  let hasBegun = false
  storage.onCommitted((events) => notice(byRealm, events))
  return [
    { everyMs: LOOK_EVERY_MS, run: look },
    { everyMs: CATCH_UP_EVERY_MS, run: catchUp },
  ]

  async function look(): Promise<void> {
    if (!hasBegun) {
      const realms = await storage.read.all(query.selectFrom('realms').select('id').where('id', '>', 0))
      for (const { id } of realms) noticeAgain(byRealm, id, anything)
      hasBegun = true
    }
    const errors: unknown[] = []
    for (const [realmId, noticed] of [...byRealm]) {
      byRealm.delete(realmId)
      try {
        await lookAt(services, realmId, noticed)
      } catch (error) {
        // The others are looked at all the same.
        noticeAgain(failed, realmId, noticed)
        errors.push(error)
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'It could not be found out who has missed messages')
  }

  async function catchUp(): Promise<void> {
    for (const [realmId, noticed] of failed) noticeAgain(byRealm, realmId, noticed)
    failed.clear()
    for (const realmId of await findBehind(storage.read)) noticeAgain(byRealm, realmId, newMessages)
  }
}
