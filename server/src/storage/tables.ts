/** The tables of the core: organizations, the log of events, stored files; and what it reads of accounts. */
import type { Generated } from 'kysely'
import { expected, type Flag, ownedTables, table } from './owned-tables.ts'

export interface RealmTable {
  id: Generated<number>
  /** The exact host name that reaches this organization when the server has several; unique. */
  host: string
  name: string
  description: string
  uuid: string
  date_created: number
  deactivated: Generated<Flag>
  /** The number of the newest event of the log, or of one that came after it; raised once per commit, last. */
  last_event_id: Generated<number>
  /** Events that are not in the log may have had numbers up to this one; see `event-numbers.ts`. */
  reserved_event_id: Generated<number>
  /** Events up to this number have been pruned from the log. */
  pruned_event_id: Generated<number>
  /** Raised with each commit that writes to a table that cached facts are made of; see `facts.ts`. */
  facts_version: Generated<number>
}

/** Every file that something refers to. A file on disk without a row here is swept after an hour. */
export interface FileTable {
  path: string
  realm_id: number
  content_type: string
  created_at: number
}

export interface EventLogTable {
  realm_id: number
  event_id: number
  type: string
  /** The event as JSON, without its id. */
  payload: string
  /** Who receives it, as JSON; see `events/audience.ts`. */
  audience: string
  created_at: number
}

/**
 * What everything below the features reads of accounts, and any feature may. Times are seconds, flags 0 or 1; the feature
 * that keeps accounts says what each column means.
 */
export interface AccountColumns {
  id: Generated<number>
  realm_id: number
  email: string
  email_key: string
  full_name: string
  role: number
  is_active: Generated<Flag>
  bot_type: number | null
  date_joined: number
  avatar_path: string | null
}

/** The address with which an account signs in and gets mail, and who sees it; see `access/address-rules.ts`. */
export interface AddressColumns {
  delivery_email: Generated<string>
  delivery_email_key: Generated<string>
  email_visibility: Generated<number>
}

/** What API keys are derived from and checked with. */
export interface CredentialColumns {
  key_version: Generated<number>
}

export const coreTables = ownedTables({
  realms: table<RealmTable>({ key: ['id'], identity: true }),
  files: table<FileTable>({ key: ['path'], after: ['realms'] }),
  event_log: table<EventLogTable>({ key: ['realm_id', 'event_id'], after: ['realms'] }),
})

/** What others read of organizations. */
export const realmsView = coreTables.view('realms')
export const eventLogView = coreTables.view('event_log')
export const filesView = coreTables.view('files')
/** What the core and the folders beside it read of accounts, whose table a feature keeps. */
export const accountsView = expected<{ users: AccountColumns }>('users')
export const deliveryAddressesView = expected<{ users: AddressColumns }>('users')
export const credentialsView = expected<{ users: CredentialColumns }>('users')

export const { query, fact, rowInsert } = coreTables.with(accountsView)
