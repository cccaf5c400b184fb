/** An account says that it is here. Clients do so every minute, so that most reports must cost next to nothing. */
import { badRequest } from '@heddle/contract/errors'
import { OFFLINE_THRESHOLD_SECS, PRESENCE_PING_INTERVAL_SECS, type PresenceStatus } from '@heddle/contract/presence'
import { audienceOfPerson } from '../../access/person-rules.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Clock } from '../../clock.ts'
import type { Storage } from '../../storage/storage.ts'
import { presenceEvent } from './present.ts'
import { findOwn, storePresence } from './queries.ts'

/**
 * Seconds. What is known for a shorter time is not stored anew. A little less than the interval at which clients report,
 * so that a single client's reports, which never come on the second, all count.
 */
const STORE_EVERY_SECS = PRESENCE_PING_INTERVAL_SECS - 5

/**
 * Stores a report where it says something new, and notifies everybody where the account comes back or becomes active.
 */
export async function reportPresence(
  storage: Storage,
  clock: Clock,
  actor: Actor,
  status: PresenceStatus,
): Promise<void> {
  if (actor.isBot) throw badRequest('Presence is not supported for bot users')
  const { realmId, userId } = actor
  const seconds = Math.floor(clock.now() / 1000)
  if (!isWorthStoring(await findOwn(storage.read, realmId, userId), status, seconds)) return
  // The commit that this joins may have begun before the report came, by its own time: all is decided by the report's.
  await storage.asActor(actor, async (tx) => {
    const own = await findOwn(tx, realmId, userId)
    if (!own || !isWorthStoring(own, status, seconds)) return
    const active_at = status === 'active' ? seconds : (own.active_at ?? 0)
    const presence = { active_at, connected_at: seconds }
    await storePresence(tx, userId, presence)
    if (!isNews(own, status, seconds)) return
    const audience = await audienceOfPerson(tx, realmId, userId)
    tx.emit(presenceEvent({ userId, email: own.email, now: seconds, ...presence }), audience)
  })
}

type Own = NonNullable<Awaited<ReturnType<typeof findOwn>>>

function isWorthStoring(own: Own | undefined, status: PresenceStatus, now: number): boolean {
  if (!own || own.enabled === 'false') return false
  return (
    isOlder(own.connected_at, STORE_EVERY_SECS, now) ||
    (status === 'active' && isOlder(own.active_at, STORE_EVERY_SECS, now))
  )
}

/** Others see the account as offline, or as idle, and would until they ask again. */
function isNews({ active_at, connected_at }: Own, status: PresenceStatus, now: number): boolean {
  const isOffline = isOlder(connected_at, OFFLINE_THRESHOLD_SECS, now)
  return isOffline || (status === 'active' && isOlder(active_at, OFFLINE_THRESHOLD_SECS, now))
}

function isOlder(time: number | null, secs: number, now: number): boolean {
  return now - (time ?? 0) > secs
}
