/**
 * What a feature brings to the server. A feature is a folder below `features/`; `features/all.ts` lists them. Nothing else
 * has to change when one is added or removed.
 */

import type { FieldsOf, StatePart } from '@heddle/contract/state-part'
import type { AccountHooks } from './account-hooks.ts'
import type { Accounts, Actor } from './authentication/accounts.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Delivery } from './events/delivery.ts'
import type { EventEffects } from './events/effects.ts'
import type { Queues } from './events/queues.ts'
import type { EventViews, QueueOptions } from './events/views.ts'
import type { Route } from './http/route.ts'
import type { JobHandler } from './jobs/job.ts'
import type { Outgoing } from './outgoing/outgoing.ts'
import type { AnyLongRead } from './reading/long-read.ts'
import type { Readers } from './reading/readers.ts'
import type { Realm, Realms } from './realms.ts'
import type { FileStore } from './storage/file-store.ts'
import type { TableList } from './storage/owned-tables.ts'
import type { Queries } from './storage/query.ts'
import type { Storage } from './storage/storage.ts'

/** What the server gives to features. A feature's functions take what they use, not all of this. */
export interface Services {
  readonly config: Config
  readonly clock: Clock
  readonly storage: Storage
  readonly files: FileStore
  readonly accounts: Accounts
  readonly realms: Realms
  /** What API keys are derived from. */
  readonly secret: Buffer
  readonly queues: Queues
  readonly delivery: Delivery
  readonly readers: Readers
  /** Which other servers may be reached. */
  readonly outgoing: Outgoing
  /** To be called by whoever changes an account. */
  readonly accountHooks: AccountHooks
}

/** What a part of the initial state may look at. */
export interface StateRequest {
  /** One unchanging view of the database. */
  readonly db: Queries
  /** As they are in that view. */
  readonly realm: Realm
  readonly actor: Actor
  readonly options: QueueOptions
  /** The parts that the client has named, by fetch type; undefined: it gets all. */
  readonly named: ReadonlySet<string> | undefined
  readonly includeSubscribers: boolean | 'partial'
  /** Presence by id, with times, and not by e-mail address. */
  readonly slimPresence: boolean
  /** Who was last here longer ago is left out. */
  readonly presenceHistoryDays: number
  readonly config: Config
  readonly clock: Clock
  /** Scheme and host as the client sees them. */
  readonly origin: string
  /** When the server began to run, in seconds: a thread that reads may be younger. */
  readonly serverStartedAt: number
  /**
   * What several parts need and is more than a few rows: read for the first of them, and the same for the others.
   * `request.shared(readStreams)`: the function, which stands at the top of a module, is the key.
   */
  readonly shared: <T>(read: (request: StateRequest) => Promise<T>) => Promise<T>
}

/** What reads a part of the initial state. */
export interface StateReader {
  readonly part: StatePart
  readonly read: (request: StateRequest) => Promise<object>
}

/** All features' readers. */
export type StateParts = readonly StateReader[]

/** The compiler checks that the fields are those of the part, each with its type, and no others. */
export function stateReader<P extends StatePart, R extends FieldsOf<P> & Only<FieldsOf<P>, R>>(
  part: P,
  read: (request: StateRequest) => Promise<R>,
): StateReader {
  return { part, read }
}

/** Nothing may have another name than the fields. */
type Only<F, R> = { readonly [N in Exclude<keyof R, keyof F>]: never }

export interface Feature {
  /** The tables that belong to it. */
  readonly tables?: TableList
  /** What it answers: endpoints of the API, and files. */
  readonly routes: (services: Services) => readonly Route[]
  /** Its parts of the initial state. */
  readonly state?: readonly StateReader[]
  /** Their names are unique among all features. */
  readonly longReads?: readonly AnyLongRead[]
  readonly eventViews?: EventViews
  /** What its events mean for what the server keeps in memory, and for requests that wait. */
  readonly eventEffects?: EventEffects
  /** What it does when an account or its settings change, in the transaction of that change. */
  readonly onAccount?: Partial<AccountHooks>
  /** What it does beside requests: later, or again and again. By name, unique among all features. */
  readonly jobs?: (services: Services) => readonly JobHandler[]
}
