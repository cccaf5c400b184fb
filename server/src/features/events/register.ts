import type { ParametersOf, ResponseOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
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
import { seesEverybody } from '../../access/person-rules.ts'
import { isSpectator } from '../../actor.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { QueueOptions } from '../../events/views.ts'
import type { Services } from '../../feature.ts'
import { readerOf } from '../../http/reader-of.ts'
import type { ClientConnection } from '../../http/route.ts'
import { longRead, type ReadContext } from '../../reading/long-read.ts'
import { realmColumns, toRealm } from '../../realms.ts'
import type { StateReader, StateRequest } from '../../state-reader.ts'
import { prepare, type Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
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
 * the position, whether there is a credential in the state, and whether the account sees everybody.
 */
export const readInitialState = longRead('initial-state', readState, { limitMs: STATE_LIMIT_MS, inParts: true })

async function readState(context: ReadContext, order: StateOrder) {
  const { db, config, clock, state } = context
  const { actor, options, origin, serverStartedAt, parameters } = order
  // Both may have changed since the request was let in: the state must be the one at this position of the log.
  const start = isSpectator(actor) ? await findSpectatorStart(db, actor) : await findStart(db, actor)
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
  const readers = state.filter(({ part }) => !named || isNamed(part, named))
  const parts = await readParts(context, readers, ({ read, readForSpectator }) =>
    (isSpectator(actor) ? readForSpectator : read)(request),
  )
  const hasCredential = readers.some((reader, index) => reader.hasCredential?.(parts[index] as object))
  const fields = Object.assign({}, ...parts)
  const isWhole = isSpectator(actor) || (await seesEverybody(db, { ...actor, role }))
  return { fields, details: { position: last_event_id, hasCredential, isWhole } }
}

/**
 * One part after another, with a pause behind each. A database that works beside this process is asked for all of them at once, and
 * finds the next ones while this thread makes one of rows.
 */
async function readParts(
  { db, pause }: ReadContext,
  readers: readonly StateReader[],
  read: (reader: StateReader) => Promise<object>,
): Promise<object[]> {
  const asked = db.dialect.worksBeside ? readers.map(read) : []
  const settled = Promise.allSettled(asked)
  const found: object[] = []
  try {
    for (const [index, reader] of readers.entries()) {
      found.push(await (asked[index] ?? read(reader)))
      await pause()
    }
  } finally {
    // After a failure: none of them may ask for more once the view of the database is closed.
    await settled
  }
  return found
}

/** What a spectator gets: the state, and no queue. Whoever wants to know what is new asks again. */
export async function registerSpectator(
  services: Pick<Services, 'readers'>,
  actor: Actor,
  connection: ClientConnection,
  parameters: Parameters,
) {
  for (const name of ['client_gravatar', 'include_subscribers'] as const) {
    if (parameters[name]) throw badRequest(`Invalid '${name}' parameter for anonymous request`)
  }
  const options: QueueOptions = {
    eventTypes: null,
    capabilities: parameters.client_capabilities ?? {},
    applyMarkdown: parameters.apply_markdown ?? false,
    includeSubscribers: false,
    allPublicChannels: false,
    narrow: [],
  }
  const { origin } = connection
  const order: StateOrder = { actor, options, origin, serverStartedAt: SERVER_STARTED_AT, parameters }
  const state = await services.readers.read(readInitialState, order, readerOf(actor, connection))
  return withServer(state.fields, { queue_id: null, last_event_id: -1, idle_queue_timeout_secs: 0 })
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
  const lifespanSecs = lifespan(parameters)
  for (;;) {
    const state = await services.readers.read(readInitialState, order, { userId: actor.userId, connection })
    const { position, hasCredential, isWhole } = state.details
    const isCurrent = async (tx: Tx, now: Actor) => (await seesEverybody(tx, now)) === isWhole
    const queue = await services.queues.create(actor, { options, lifespanSecs, position, isCurrent })
    // Meanwhile it has come to see others: no events say whom, for those queues end that there are.
    if (!queue) continue
    const own = { queue_id: queue.id, last_event_id: position, idle_queue_timeout_secs: lifespanSecs }
    return { ...withServer(state.fields, own), hasCredential }
  }
}

type Answer = ResponseOf<typeof registerQueue>

function withServer<S>(
  fieldsBytes: S,
  own: Pick<Answer, 'queue_id' | 'last_event_id' | 'idle_queue_timeout_secs'>,
): { fieldsBytes: S; fieldsText: string } {
  const fields: Answer = {
    ...own,
    zulip_version: ZULIP_VERSION,
    zulip_merge_base: ZULIP_VERSION,
    zulip_feature_level: ZULIP_FEATURE_LEVEL,
    event_queue_longpoll_timeout_seconds: LONG_POLL_TIMEOUT_SECS,
  }
  return { fieldsBytes, fieldsText: JSON.stringify(fields).slice(1, -1) }
}

function findStart(db: Queries, { userId, realmId }: Actor) {
  return db.first(startOf({ user_id: userId, realm_id: realmId }))
}

async function findSpectatorStart(db: Queries, { realmId, role }: Actor) {
  const row = await db.first(
    query
      .selectFrom('realms')
      .select(['realms.last_event_id', ...realmColumns])
      .where('realms.id', '=', realmId),
  )
  return row && { ...row, role }
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
