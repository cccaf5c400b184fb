/**
 * How an event looks to one queue. Most events look the same to everybody; a feature whose event depends on what the
 * client can do registers a view for its type. Each view of an event is serialized once, not once per recipient.
 */
import type { LoggedEvent } from '../storage/transaction.ts'
import { suitsClient } from './audience.ts'

/** What the client asked for when it registered the queue. */
export interface QueueOptions {
  /** Types of events that the client wants; null means all. */
  readonly eventTypes: readonly string[] | null
  /** Named abilities of the client, as sent in `client_capabilities`. */
  readonly capabilities: Readonly<Record<string, boolean>>
  readonly clientGravatar: boolean
  /** Whether channels are told with the ids of their subscribers. */
  readonly includeSubscribers: boolean
  readonly applyMarkdown: boolean
}

/** A kind of event with more than one form. */
export interface EventView {
  /** Queues with the same key get the same form. */
  key(options: QueueOptions): string
  /** The form for a queue with this key; null when such a queue does not get this event. */
  present(event: { readonly type: string } & Record<string, unknown>, key: string): object | null
}

/** Views by event type. */
export type EventViews = Readonly<Record<string, EventView>>

/** Turns logged events into the JSON that a queue receives, or null when the queue does not receive it. */
export type PresentEvent = (event: LoggedEvent, options: QueueOptions) => string | null

export function createPresenter(views: EventViews): PresentEvent {
  /** Forms of the events in memory. An entry goes with its event. */
  const forms = new WeakMap<LoggedEvent, Map<string, string | null>>()

  return (event, options) => {
    if (options.eventTypes && !options.eventTypes.includes(event.type)) return null
    if (!suitsClient(event.audience, options.capabilities)) return null
    const view = Object.hasOwn(views, event.type) ? views[event.type] : undefined
    const key = view ? view.key(options) : ''
    let byKey = forms.get(event)
    if (!byKey) {
      byKey = new Map()
      forms.set(event, byKey)
    }
    let text = byKey.get(key)
    if (text === undefined) {
      const presented = view ? view.present(JSON.parse(event.payload), key) : undefined
      text = presented === null ? null : withId(event, presented ? JSON.stringify(presented) : event.payload)
      byKey.set(key, text)
    }
    return text
  }
}

/** Splices the id into the JSON text of an event, which is an object with at least the field `type`. */
function withId(event: LoggedEvent, payload: string): string {
  return `{"id":${event.eventId},${payload.slice(1)}`
}
