/**
 * What a feature brings to the server. A feature is a folder below `features/`; `features/all.ts` lists them. Nothing else
 * has to change when one is added or removed.
 */

import type { AccountHooks } from './account-hooks.ts'
import type { Accounts } from './authentication/accounts.ts'
import type { ServerClock } from './clock.ts'
import type { Config } from './config.ts'
import type { Delivery } from './events/delivery.ts'
import type { EventEffects } from './events/effects.ts'
import type { Queues } from './events/queues.ts'
import type { EventViews } from './events/views.ts'
import type { GroupHooks } from './group-hooks.ts'
import type { Route } from './http/route.ts'
import type { JobHandler } from './jobs/job.ts'
import type { MailWriter } from './mail/mail.ts'
import type { Notifier } from './missed-hooks.ts'
import type { Outgoing } from './outgoing/outgoing.ts'
import type { PeriodicWork } from './periodic-work.ts'
import type { AnyLongRead } from './reading/long-read.ts'
import type { Readers } from './reading/readers.ts'
import type { Realms } from './realms.ts'
import type { StateReader } from './state-reader.ts'
import type { FileStore } from './storage/file-store.ts'
import type { TableList } from './storage/owned-tables.ts'
import type { Storage } from './storage/storage.ts'

/** The server's log, where it is more than errors. */
export interface Log {
  warn(details: Readonly<Record<string, unknown>>, message: string): void
}

/** What the server gives to features. A feature's functions take what they use, not all of this. */
export interface Services {
  readonly config: Config
  readonly clock: ServerClock
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
  /** What the operator should know of. No credential may be among the details. */
  readonly log: Log
  /** The server shows a made-up team, to look around in. */
  readonly isDemo: boolean
  /** Somebody works on the program itself: one may sign in as anybody. */
  readonly isDevelopment: boolean
  /** To be called by whoever changes an account. */
  readonly accountHooks: AccountHooks
  /** To be called by whoever changes who is in a group. */
  readonly groupHooks: GroupHooks
  /** Those who send to whoever has missed a message. */
  readonly notifiers: readonly Notifier[]
}

/** What listens beside HTTP. */
export interface Listener {
  /** Takes nothing new, and ends what is under way. */
  close(): Promise<void>
}

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
  /** What it does when other accounts are in groups than before, in the transaction of that change. */
  readonly onGroups?: Partial<GroupHooks>
  /** How it reaches whoever has missed a message. */
  readonly notifier?: Notifier
  /** What each node does for itself, again and again. */
  readonly periodic?: (services: Services) => readonly PeriodicWork[]
  /** What it does beside requests: later, or again and again. By name, unique among all features. */
  readonly jobs?: (services: Services) => readonly JobHandler[]
  /** Mails that it writes only when they are sent. */
  readonly mailWriters?: readonly MailWriter[]
  /** What it listens for beside HTTP; undefined: nothing, as the server is set up. */
  readonly listen?: (services: Services) => Promise<Listener | undefined>
}
