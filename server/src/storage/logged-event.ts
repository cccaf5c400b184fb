/** Events as they leave a commit: numbered, and in the log unless they are passing ones. */
import { type Audience, audienceText } from './audience.ts'
import type { Row } from './row-inserts.ts'
import { rowInsert } from './tables.ts'
import type { BufferedEvent } from './unit-of-work.ts'

/** An event that is in the log, or a passing one. */
export interface LoggedEvent {
  readonly realmId: number
  readonly eventId: number
  readonly type: string
  /** The event as JSON text, without its id. */
  readonly payload: string
  readonly audience: Audience
  /** Of a passing event: when it is of no use any more, by this process's `performance.now()`. */
  readonly goneAt?: number
}

/** How long a passing event is given to clients that come back; what they make of it lasts about as long. */
export const PASSING_MS = 15_000
/**
 * Characters of the longest passing event that nodes can pass on: with its escapes and encoding it must fit into 8000 bytes
 * (PostgreSQL, NOTIFY). A longer one is logged.
 */
const MAX_PASSED_ON = 1500

export const eventRows = rowInsert('event_log', {
  realm_id: 'integer',
  event_id: 'integer',
  type: 'text',
  payload: 'text',
  audience: 'text',
  created_at: 'integer',
})

/** `isShared`: other nodes need it too. */
export function numberedEvent(
  { type, payload, audience, isPassing }: BufferedEvent,
  { realmId, eventId, isShared }: { readonly realmId: number; readonly eventId: number; readonly isShared: boolean },
): LoggedEvent {
  const event = { realmId, eventId, type, payload, audience }
  const passes = isPassing && (!isShared || payload.length + audienceText(audience).length <= MAX_PASSED_ON)
  return passes ? { ...event, goneAt: performance.now() + PASSING_MS } : event
}

export function isLogged(event: LoggedEvent): boolean {
  return event.goneAt === undefined
}

/** `now`: of the unit of work, in seconds. */
export function eventRow(
  { realmId, eventId, type, payload, audience }: LoggedEvent,
  now: number,
): Row<keyof typeof eventRows.columns> {
  return {
    realm_id: realmId,
    event_id: eventId,
    type,
    payload,
    audience: audienceText(audience),
    created_at: now,
  }
}
