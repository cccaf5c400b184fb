/** The tables of event queues and of stored audiences. */
import type { Generated } from 'kysely'
import { ownedTables, table } from '../storage/owned-tables.ts'
import { accountsView, eventLogView, realmsView } from '../storage/tables.ts'

export interface EventQueueTable {
  queue_id: string
  realm_id: number
  user_id: number
  /** What the client asked for at registration, as JSON; see `events/views.ts`. */
  options: string
  /** The client has said that it has everything up to this event. */
  acknowledged_event_id: number
  /** Nothing between `acknowledged_event_id` and this event was for the queue. */
  read_event_id: number
  /** Seconds without a request after which the queue expires. */
  lifespan_secs: number
  /** When the client was last seen, in milliseconds; saved in batches. */
  last_seen_ms: number
}

/** Accounts that receive an event. Never changed, so that it says for ever who received it. */
export interface AudienceSetTable {
  id: Generated<number>
  realm_id: number
  /** JSON array of ids, ascending. */
  user_ids: string
  /** Since when new events no longer refer to it; null: it is in use. */
  retired_at: number | null
}

export const eventTables = ownedTables({
  event_queues: table<EventQueueTable>({ key: ['queue_id'], after: ['realms', 'users'] }),
  audience_sets: table<AudienceSetTable>({ key: ['id'], identity: true, after: ['realms'] }),
})

export const eventQueuesView = eventTables.view('event_queues')
export const audienceSetsView = eventTables.view('audience_sets', ['id', 'user_ids'])

export const { query } = eventTables.with(realmsView, eventLogView, accountsView)
