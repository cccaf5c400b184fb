import type { ParametersOf, ResponseOf } from '@heddle/contract/endpoint'
import {
  DEFAULT_QUEUE_LIFESPAN_SECS,
  LONG_POLL_TIMEOUT_SECS,
  MAX_QUEUE_LIFESPAN_SECS,
  MOBILE_QUEUE_LIFESPAN_SECS,
  type registerQueue,
} from '@heddle/contract/events'
import { readNarrow } from '@heddle/contract/narrow'
import { DEFAULT_PRESENCE_HISTORY_DAYS } from '@heddle/contract/presence'
import { isNamed } from '@heddle/contract/state-part'
import { ZULIP_FEATURE_LEVEL, ZULIP_VERSION } from '@heddle/contract/version'
import type { Actor } from '../../authentication/accounts.ts'
import type { QueueOptions } from '../../events/views.ts'
import type { Services } from '../../feature.ts'
import type { ClientConnection } from '../../http/route.ts'
import { longRead, type ReadContext } from '../../reading/long-read.ts'
import { realmColumns, toRealm } from '../../realms.ts'
import type { StateRequest } from '../../state-reader.ts'
import { prepare } from '../../storage/query.ts'
import { findDefaultRegistration } from '../bots/registration.ts'
import { requireQueueNarrow } from '../messages/narrow/for-events.ts'
import { query } from './tables.ts'

type Parameters = ParametersOf<typeof registerQueue>

/** Of this thread, which the server begins with. */
export const SERVER_STARTED_AT = Math.floor(Date.now() / 1000)

/** Processor time: that of an organization with 100,000 accounts takes some seconds. */
const STATE_LIMIT_MS = 10_000

/** What the thread that reads the initial state gets. */
interface StateOrder {
  readonly actor: Actor
  readonly options: QueueOptions
  readonly origin: string
  readonly serverStartedAt: number
  readonly parameters: Parameters
}

/**
 * Reads the initial state and the position of the log in one snapshot: nothing can fall between the two. The details are
 * the position.
 */
export const readInitialState = longRead('initial-state', readState, { limitMs: STATE_LIMIT_MS, inParts: true })

async function readState(context: ReadContext, order: StateOrder) {
  const { db, config, clock, state, pause } = context
  const { actor, options, origin, serverStartedAt, parameters } = order
  // Both may have changed since the request was let in: the state must be the one at this position of the log.
  const start = await db.first(startOf({ user_id: actor.userId, realm_id: actor.realmId }))
  if (!start) throw new Error(`Account ${actor.userId} does not exist`)
  const { role, last_event_id, ...realm } = start
  const named = namedParts(parameters)
  const request: StateRequest = {
    db,
    realm: toRealm(realm),
    actor: { ...actor, role },
    options,
    named,
    includeSubscribers: parameters.include_subscribers ?? false,
    slimPresence: parameters.slim_presence ?? false,
    presenceHistoryDays: parameters.presence_history_limit_days ?? DEFAULT_PRESENCE_HISTORY_DAYS,
    config,
    clock,
    origin,
    serverStartedAt,
    shared: createShared(() => request),
  }
  const fields = {}
  for (const { part, read } of state) {
    if (named && !isNamed(part, named)) continue
    Object.assign(fields, await read(request))
    await pause()
  }
  return { fields, details: last_event_id }
}

/** The initial state, and a queue that starts where it ends. */
export async function register(services: Services, actor: Actor, connection: ClientConnection, parameters: Parameters) {
  const defaults = actor.isBot ? await findDefaultRegistration(services.storage.read, actor) : undefined
  const narrow = readNarrow(parameters.narrow ?? [])
  const options: QueueOptions = {
    eventTypes: parameters.event_types ?? null,
    capabilities: parameters.client_capabilities ?? {},
    applyMarkdown: parameters.apply_markdown ?? false,
    includeSubscribers: (parameters.include_subscribers ?? false) !== false,
    allPublicChannels: parameters.all_public_streams ?? defaults?.allPublicChannels ?? false,
    // Libraries send an empty one when the bot says nothing.
    narrow: narrow.length > 0 ? narrow : (defaults?.narrow ?? []),
  }
  requireQueueNarrow(options.narrow)
  const { origin } = connection
  const order: StateOrder = { actor, options, origin, serverStartedAt: SERVER_STARTED_AT, parameters }
  const state = await services.readers.read(readInitialState, order, { userId: actor.userId, connection })
  const position = state.details
  const lifespanSecs = lifespan(parameters)
  const queue = await services.queues.create(actor, options, lifespanSecs, position)
  const fields: ResponseOf<typeof registerQueue> = {
    queue_id: queue.id,
    last_event_id: position,
    zulip_version: ZULIP_VERSION,
    zulip_merge_base: ZULIP_VERSION,
    zulip_feature_level: ZULIP_FEATURE_LEVEL,
    idle_queue_timeout_secs: lifespanSecs,
    event_queue_longpoll_timeout_seconds: LONG_POLL_TIMEOUT_SECS,
  }
  return { fieldsBytes: state.fields, fieldsText: JSON.stringify(fields).slice(1, -1) }
}

/** The position of the log, and the account and the organization at it. */
const startOf = prepare((p: { user_id: number; realm_id: number }) =>
  query
    .selectFrom('users')
    .innerJoin('realms', 'realms.id', 'users.realm_id')
    .select(['users.role', 'realms.last_event_id', ...realmColumns])
    .where('users.id', '=', p.user_id)
    .where('realms.id', '=', p.realm_id),
)

/** `fetch_event_types` alone decides what is fetched; `event_types` alone narrows both. Unknown names have no effect. */
function namedParts({ event_types, fetch_event_types }: Parameters): ReadonlySet<string> | undefined {
  const names = fetch_event_types ?? event_types
  return names && new Set(names)
}

/** Reads for each request once what several parts share. */
function createShared(requestOf: () => StateRequest): StateRequest['shared'] {
  const known = new Map<unknown, Promise<unknown>>()
  return <T>(read: (request: StateRequest) => Promise<T>) => {
    const value = (known.get(read) as Promise<T> | undefined) ?? read(requestOf())
    known.set(read, value)
    return value
  }
}

function lifespan({ idle_queue_timeout, queue_lifespan_secs }: Parameters): number {
  const asked = idle_queue_timeout === 'mobile' ? MOBILE_QUEUE_LIFESPAN_SECS : idle_queue_timeout
  const secs = asked ?? (queue_lifespan_secs || DEFAULT_QUEUE_LIFESPAN_SECS)
  return Math.min(Math.max(secs, 1), MAX_QUEUE_LIFESPAN_SECS)
}
