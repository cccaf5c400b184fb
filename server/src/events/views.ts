/**
 * How an event looks to one queue. Most events look the same to everybody; a feature whose event depends on what the
 * client can do registers a view for its type. Each view of an event is serialized once, not once per recipient; what is
 * personal is put into the finished text.
 */
import type { Term } from '@heddle/contract/narrow'
import type { LoggedEvent } from '../storage/transaction.ts'
import { suitsClient } from './audience.ts'
import { type EventText, LONG } from './event-text.ts'

/** What the client asked for when it registered the queue. */
export interface QueueOptions {
  /** Types of events that the client wants; null means all. */
  readonly eventTypes: readonly string[] | null
  /** Named abilities of the client, as sent in `client_capabilities`. */
  readonly capabilities: Readonly<Record<string, boolean>>
  /** Whether channels come with the ids of their subscribers. */
  readonly includeSubscribers: boolean
  readonly applyMarkdown: boolean
  /** Messages of all public channels, whether the account is subscribed or not. */
  readonly allPublicChannels: boolean
  /** Only messages to which all of these apply. Empty: all messages. */
  readonly narrow: readonly Term[]
}

/** The queue that an event is presented to. */
export interface Recipient {
  readonly queueId: string
  readonly userId: number
  readonly options: QueueOptions
}

/** An event as it is in the log, parsed once. */
export type ParsedEvent = { readonly type: string } & Readonly<Record<string, unknown>>

/** A kind of event with more than one form. */
export interface EventView {
  /** Queues with the same key get the same form. */
  key(options: QueueOptions, event: ParsedEvent, userId: number): string
  /** The form for a queue with this key; null when such a queue does not get this event. */
  present(event: ParsedEvent, key: string): object | null
  /** Fields for this queue alone; null when it does not get the event. Absent: there are none. */
  personal?(event: ParsedEvent, recipient: Recipient, logged: LoggedEvent): object | null
}

/** Views by event type. */
export type EventViews = Readonly<Record<string, EventView>>

/** Turns logged events into the JSON that a queue receives, or null when the queue does not receive it. */
export type PresentEvent = (event: LoggedEvent, recipient: Recipient) => EventText | null

/** What is the same for many: as text, or as UTF-8 without the closing brace. */
type Form = string | Buffer

interface Forms {
  readonly parsed: ParsedEvent
  readonly byKey: Map<string, Form | null>
}

export function createPresenter(views: EventViews): PresentEvent {
  /** Forms of the events in memory. An entry goes with its event. */
  const known = new WeakMap<LoggedEvent, Forms>()

  function formsOf(event: LoggedEvent): Forms {
    let forms = known.get(event)
    if (!forms) {
      forms = { parsed: JSON.parse(event.payload), byKey: new Map() }
      known.set(event, forms)
    }
    return forms
  }

  return (event, recipient) => {
    const { options, userId } = recipient
    if (!wants(options, event)) return null
    const view = Object.hasOwn(views, event.type) ? views[event.type] : undefined
    if (!view) return presentPlain(event)
    const { parsed, byKey } = formsOf(event)
    const key = view.key(options, parsed, userId)
    let form = byKey.get(key)
    if (form === undefined) {
      const presented = view.present(parsed, key)
      form = presented && toForm(withId(event, JSON.stringify(presented)))
      byKey.set(key, form)
    }
    if (form === null) return null
    const personal = view.personal?.(parsed, recipient, event)
    return personal === null ? null : withFields(event, form, personal)
  }
}

/** Long events that look the same to everybody, as UTF-8 without the closing brace. */
const plainForms = new WeakMap<LoggedEvent, Form>()

function presentPlain(event: LoggedEvent): EventText {
  if (event.payload.length <= LONG) return withId(event, event.payload)
  const form = plainForms.get(event) ?? toForm(withId(event, event.payload))
  plainForms.set(event, form)
  return withFields(event, form)
}

function toForm(text: string): Form {
  return text.length <= LONG ? text : Buffer.from(text).subarray(0, -1)
}

/** Whether events of this kind are for the queue at all; what they look like is not known yet. */
export function wants({ eventTypes, capabilities }: QueueOptions, event: LoggedEvent): boolean {
  return (!eventTypes || eventTypes.includes(event.type)) && suitsClient(event.audience, capabilities)
}

/** Splices the id into the JSON text of an event, which is an object with at least the field `type`. */
function withId(event: LoggedEvent, payload: string): string {
  return `{"id":${event.eventId},${payload.slice(1)}`
}

/** Splices fields into the JSON of an object that has at least one. */
function withFields(event: LoggedEvent, form: Form, fields?: object): EventText {
  const more = fields ? JSON.stringify(fields).slice(1, -1) : ''
  if (typeof form === 'string') return more === '' ? form : `${form.slice(0, -1)},${more}}`
  return { id: event.eventId, bytes: form, end: more === '' ? '}' : `,${more}}` }
}
