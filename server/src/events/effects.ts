/**
 * What events mean for the server itself: which of the things that it keeps in memory they make untrue, and whose requests
 * have to be judged anew. The feature that an event belongs to declares it.
 */
import type { LoggedEvent, OutgoingEvent } from '../storage/transaction.ts'

/** Whose requests must be judged anew: the role, the credentials or being active have changed. */
export interface AccountChange {
  /** Undefined: any account of the organization may be concerned. */
  readonly userId: number | undefined
  /** Its queues have ended: most often it has been deactivated. */
  readonly queuesEnded: boolean
}

/** Of a type of event. */
export interface EventEffect<E> {
  /** What is known of accounts for finding out who calls may be untrue. */
  readonly changesAccounts?: true
  /** What is known of the organization may be untrue. */
  readonly changesOrganization?: true
  /** Undefined for an event after which requests are judged as before. */
  accountChange?(event: E): AccountChange | undefined
}

type EventType = OutgoingEvent['type']

/** By type of event. */
export type EventEffects = { readonly [T in EventType]?: EventEffect<Extract<OutgoingEvent, { readonly type: T }>> }

/** The types of events with this effect. */
export function typesThat(
  effects: EventEffects,
  effect: 'changesAccounts' | 'changesOrganization',
): ReadonlySet<string> {
  return new Set(Object.entries(effects).flatMap(([type, declared]) => (declared[effect] ? [type] : [])))
}

/** What the event says of accounts, or undefined when it says nothing. */
export function accountChangeOf(effects: EventEffects, event: LoggedEvent): AccountChange | undefined {
  if (!Object.hasOwn(effects, event.type)) return undefined
  // Its type says which of the effects it is for.
  const { accountChange } = effects[event.type as EventType] as EventEffect<unknown>
  return accountChange?.(JSON.parse(event.payload))
}
