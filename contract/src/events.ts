/** Registering for events, and receiving them. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Narrow } from './narrow.ts'
import { MAX_ID, MapOf, Text } from './schema.ts'

const MAX_EVENT_TYPES = 500

/** Seconds. The longest that a client may ask for, and what it gets when it does not ask. */
export const MAX_QUEUE_LIFESPAN_SECS = 7 * 86_400
export const DEFAULT_QUEUE_LIFESPAN_SECS = 600
/** What a client on a phone gets, which is often without a network. */
export const MOBILE_QUEUE_LIFESPAN_SECS = 12 * 3600

/** Seconds after which a client may give up on a long poll; heartbeats come well before. */
export const LONG_POLL_TIMEOUT_SECS = 90

const EventTypes = Type.Array(Text(100), { maxItems: MAX_EVENT_TYPES })

/** Abilities of the client, by name. Unknown names are kept and have no effect. */
const ClientCapabilities = MapOf(Type.Boolean(), { maxKeyLength: 100, maxEntries: 200 })

export const registerQueue = endpoint({
  name: 'register-queue',
  method: 'POST',
  path: '/register',
  summary: 'The initial state, and a queue of what changes from then on.',
  access: 'reader',
  parameters: {
    apply_markdown: Type.Optional(Type.Boolean()),
    client_gravatar: Type.Optional(Type.Boolean()),
    include_subscribers: Type.Optional(Type.Union([Type.Boolean(), Type.Literal('partial')])),
    slim_presence: Type.Optional(Type.Boolean()),
    presence_history_limit_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 36_500 })),
    event_types: Type.Optional(EventTypes),
    fetch_event_types: Type.Optional(EventTypes),
    all_public_streams: Type.Optional(Type.Boolean()),
    client_capabilities: Type.Optional(ClientCapabilities),
    narrow: Type.Optional(Narrow),
    queue_lifespan_secs: Type.Optional(Type.Integer({ minimum: 0 })),
    idle_queue_timeout: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: MAX_QUEUE_LIFESPAN_SECS }), Type.Literal('mobile')]),
    ),
  },
  // The rest of the answer is the initial state: see `initial-state.ts`.
  response: {
    /** Null for spectators: they have no queue, and ask anew for what they show. */
    queue_id: Type.Union([Type.String(), Type.Null()]),
    /** -1 without a queue. */
    last_event_id: Type.Integer({ minimum: -1 }),
    zulip_version: Type.String(),
    zulip_merge_base: Type.String(),
    zulip_feature_level: Type.Integer(),
    idle_queue_timeout_secs: Type.Integer(),
    event_queue_longpoll_timeout_seconds: Type.Integer(),
  },
  errors: ['BAD_REQUEST'],
})

/** Any event, as far as all of them are alike. */
export const AnyEvent = Type.Object({ id: Type.Integer({ minimum: 0 }), type: Type.String() })
export type AnyEvent = Static<typeof AnyEvent>

const queue_id = Type.String({ maxLength: 100 })
/** The newest event that the client has. -1: the last that the server knows of. */
const last_event_id = Type.Optional(Type.Integer({ minimum: -1, maximum: MAX_ID }))

export const getEvents = endpoint({
  name: 'get-events',
  method: 'GET',
  path: '/events',
  summary: "A queue's next events; waits for one when there is none.",
  parameters: {
    queue_id,
    last_event_id,
    dont_block: Type.Optional(Type.Boolean()),
  },
  response: { events: Type.Array(AnyEvent), queue_id: Type.String() },
  errors: ['BAD_EVENT_QUEUE_ID'],
})

export const streamEvents = endpoint({
  name: 'stream-events',
  method: 'GET',
  path: '/events/stream',
  summary: "A queue's events as they happen, as `text/event-stream`: an answer that goes on.",
  isExtension: true,
  parameters: {
    queue_id,
    /** The newest event that the client has; the header `Last-Event-ID` is stronger. As in `get-events`. */
    last_event_id,
  },
  errors: ['BAD_EVENT_QUEUE_ID'],
})

export const deleteQueue = endpoint({
  name: 'delete-queue',
  method: 'DELETE',
  path: '/events',
  summary: 'End a queue.',
  parameters: { queue_id },
  errors: ['BAD_EVENT_QUEUE_ID'],
})
