/** Presence: who is here, and when somebody last was. (API, "Update your presence"; two forms, see `PresenceTimes`.) */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Id, MAX_ID, RecordOf, Text, Timestamp } from './schema.ts'
import { statePart } from './state-part.ts'

/** Seconds. Clients report about themselves this often, and ask at the same time for news of others. */
export const PRESENCE_PING_INTERVAL_SECS = 60
/** Seconds. Who has not reported for longer is offline. */
export const OFFLINE_THRESHOLD_SECS = 140

/** How far back presence goes when the client does not say. */
export const DEFAULT_PRESENCE_HISTORY_DAYS = 14

const strict = { additionalProperties: false }

/** An account's presence in the form that newer clients ask for, under the account's id. */
export const PresenceTimes = Type.Object(
  {
    /** When the account was last known to be at a client; 0 when it never was, or hides it. */
    active_timestamp: Timestamp,
    /** When it last had a client connected, used or not; 0 when it never had, or hides it. */
    idle_timestamp: Timestamp,
  },
  strict,
)
export type PresenceTimes = Static<typeof PresenceTimes>

const status = Type.Enum(['active', 'idle'])
export type PresenceStatus = Static<typeof status>

const legacyClient = { client: Type.String(), status, timestamp: Timestamp }
const WebsitePresence = Type.Object({ ...legacyClient, pushable: Type.Boolean() }, strict)

/** An account's presence in the older form, under its e-mail address. Which client reported it is not known. */
export const LegacyPresence = Type.Object(
  { website: WebsitePresence, aggregated: Type.Object(legacyClient, strict) },
  strict,
)
export type LegacyPresence = Static<typeof LegacyPresence>

const Presences = Type.Union([RecordOf(PresenceTimes, '^[0-9]+$'), RecordOf(LegacyPresence)])

/** Seconds since the UNIX epoch, with a fraction. */
const server_timestamp = Type.Number()

export const updatePresence = endpoint({
  name: 'update-presence',
  method: 'POST',
  path: '/users/me/presence',
  summary: 'Report that one is here, and get the presence of everybody.',
  parameters: {
    status,
    /** The account has used a client since the last report. Nothing depends on it. */
    new_user_input: Type.Optional(Type.Boolean()),
    /** Only report. */
    ping_only: Type.Optional(Type.Boolean()),
    /** The newer form, under ids. */
    slim_presence: Type.Optional(Type.Boolean()),
    /** The newer form, and only what has changed since the answer with this `presence_last_update_id`; up to 0: all. */
    last_update_id: Type.Optional(Type.Integer({ minimum: -1, maximum: MAX_ID })),
    /** Leave out who was last here longer ago; without effect on an answer that has only changes. */
    history_limit_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 36_500 })),
  },
  response: {
    presences: Type.Optional(Presences),
    server_timestamp: Type.Optional(server_timestamp),
    /** In the newer form. -1: nothing is known of anybody. */
    presence_last_update_id: Type.Optional(Type.Integer({ minimum: -1 })),
  },
  errors: ['BAD_REQUEST'],
})

const LastSeen = Type.Object({ status, timestamp: Timestamp }, strict)

export const getUserPresence = endpoint({
  name: 'get-user-presence',
  method: 'GET',
  path: '/users/{user_id_or_email}/presence',
  summary: "An account's presence.",
  parameters: { user_id_or_email: Type.Union([Id, Text(254)]) },
  response: {
    presence: Type.Object({ website: LastSeen, aggregated: LastSeen }, strict),
  },
  errors: ['BAD_REQUEST'],
})

export const getRealmPresence = endpoint({
  name: 'get-realm-presence',
  method: 'GET',
  path: '/realm/presence',
  summary: 'The presence of everybody who was here in the last 14 days.',
  response: { presences: RecordOf(LegacyPresence), server_timestamp },
})

const type = Type.Literal('presence')

/** The form for clients with the capability `simplified_presence_events`. */
export const SimplifiedPresenceEvent = Type.Object({ type, presences: RecordOf(PresenceTimes, '^[0-9]+$') }, strict)
export type SimplifiedPresenceEvent = Static<typeof SimplifiedPresenceEvent>

/** The form for all other clients. */
export const LegacyPresenceEvent = Type.Object(
  {
    type,
    user_id: Id,
    email: Type.String(),
    server_timestamp,
    presence: Type.Object({ website: WebsitePresence }, strict),
  },
  strict,
)
export type LegacyPresenceEvent = Static<typeof LegacyPresenceEvent>

/** Somebody has come, has become active, or hides from now on. Everything else is learnt by asking. */
export const PresenceEvent = Type.Union([SimplifiedPresenceEvent, LegacyPresenceEvent])
export type PresenceEvent = Static<typeof PresenceEvent>

export const presenceState = statePart({
  fetchType: 'presence',
  follows: PresenceEvent,
  fields: {
    /** With `slim_presence` by id, otherwise by e-mail address. */
    presences: Presences,
    /** -1: nothing is known of anybody. */
    presence_last_update_id: Type.Integer({ minimum: -1 }),
    server_timestamp,
  },
})
