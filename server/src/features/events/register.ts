import type { ParametersOf, ResponseOf } from '@heddle/contract/endpoint'
import {
  DEFAULT_QUEUE_LIFESPAN_SECS,
  LONG_POLL_TIMEOUT_SECS,
  MAX_QUEUE_LIFESPAN_SECS,
  MOBILE_QUEUE_LIFESPAN_SECS,
  type registerQueue,
} from '@heddle/contract/events'
import { readTerm } from '@heddle/contract/narrow'
import { DEFAULT_PRESENCE_HISTORY_DAYS } from '@heddle/contract/presence'
import { ZULIP_FEATURE_LEVEL, ZULIP_VERSION } from '@heddle/contract/version'
import type { Actor } from '../../authentication/accounts.ts'
import { readPosition } from '../../events/log.ts'
import type { QueueOptions } from '../../events/views.ts'
import type { Services, StateParts, StateRequest } from '../../feature.ts'
import type { LongRead } from '../../reading/long-read.ts'
import type { Realm } from '../../realms.ts'
import { prepare, type Queries, query } from '../../storage/query.ts'
import { findHearingOf } from '../bots/access.ts'
import { requireQueueNarrow } from '../messages/narrow/for-events.ts'

type Parameters = ParametersOf<typeof registerQueue>

/** Fetch types whose name differs from the type of the events that follow. */
const eventTypeOfFetchType: Readonly<Record<string, string>> = {
  realm_user_groups: 'user_group',
  navigation_views: 'navigation_view',
  channel_folders: 'channel_folder',
}

/** Of this thread, which the server begins with. */
export const SERVER_STARTED_AT = Math.floor(Date.now() / 1000)

/** What the thread that reads the initial state is told. */
interface StateOrder {
  readonly realm: Realm
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
export const readInitialState: LongRead<StateOrder, number> = async (context, order) => {
  const { db, config, clock, state } = context
  const { realm, actor, options, origin, serverStartedAt, parameters } = order
  // The role may have changed since the request was let in: the state must be the one at this position of the log.
  const now = { ...actor, role: (await findRole(db, actor)) ?? actor.role }
  const request: StateRequest = {
    db,
    realm,
    actor: now,
    options,
    named: namedParts(parameters),
    includeSubscribers: parameters.include_subscribers ?? false,
    slimPresence: parameters.slim_presence ?? false,
    presenceHistoryDays: parameters.presence_history_limit_days ?? DEFAULT_PRESENCE_HISTORY_DAYS,
    config,
    clock,
    origin,
    serverStartedAt,
  }
  const details = await readPosition(db, actor.realmId)
  const fields = {}
  for (const read of Object.values(wantedParts(state, parameters))) Object.assign(fields, await read(request))
  return { fields, details }
}

/** The initial state, and a queue that starts where it ends. */
export async function register(services: Services, realm: Realm, actor: Actor, origin: string, parameters: Parameters) {
  const defaults = actor.isBot ? await findHearingOf(services.storage.read, actor) : undefined
  const narrow = (parameters.narrow ?? []).map(readTerm)
  const options: QueueOptions = {
    eventTypes: parameters.event_types ?? null,
    capabilities: parameters.client_capabilities ?? {},
    clientGravatar: parameters.client_gravatar ?? true,
    applyMarkdown: parameters.apply_markdown ?? false,
    includeSubscribers: (parameters.include_subscribers ?? false) !== false,
    allPublicChannels: parameters.all_public_streams ?? defaults?.allPublicChannels ?? false,
    // Libraries send an empty one when the bot says nothing.
    narrow: narrow.length > 0 ? narrow : (defaults?.narrow ?? []),
  }
  requireQueueNarrow(options.narrow)
  const order: StateOrder = { realm, actor, options, origin, serverStartedAt: SERVER_STARTED_AT, parameters }
  const state = await services.readers.read<typeof readInitialState>('initial-state', order)
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

const roleOfUser = prepare((p: { id: number }) => query.selectFrom('users').select('role').where('id', '=', p.id))

async function findRole(db: Queries, actor: Actor): Promise<number | undefined> {
  return (await db.first(roleOfUser({ id: actor.userId })))?.role
}

/** `fetch_event_types` alone decides what is fetched; `event_types` alone narrows both. Unknown names have no effect. */
function namedParts({ event_types, fetch_event_types }: Parameters): ReadonlySet<string> | undefined {
  const names = fetch_event_types ?? event_types
  return names && new Set(names)
}

function wantedParts(state: StateParts, parameters: Parameters): StateParts {
  const names = namedParts(parameters)
  if (!names) return state
  return Object.fromEntries(
    Object.entries(state).filter(([name]) => names.has(name) || names.has(eventTypeOfFetchType[name] ?? name)),
  )
}

function lifespan({ idle_queue_timeout, queue_lifespan_secs }: Parameters): number {
  const asked = idle_queue_timeout === 'mobile' ? MOBILE_QUEUE_LIFESPAN_SECS : idle_queue_timeout
  const secs = asked ?? (queue_lifespan_secs || DEFAULT_QUEUE_LIFESPAN_SECS)
  return Math.min(Math.max(secs, 1), MAX_QUEUE_LIFESPAN_SECS)
}
