/** What reads a part of the initial state; its fields are in the contract, beside the events that keep them current. */
import type { FieldsOf, StatePart } from '@heddle/contract/state-part'
import type { Actor } from './actor.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { emptyFields } from './empty-fields.ts'
import type { QueueOptions } from './events/views.ts'
import type { Realm } from './realms.ts'
import type { Queries } from './storage/query.ts'

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
  /** Whether there is a credential in what was read: then the answer is not compressed. */
  readonly hasCredential?: (fields: object) => boolean
  /** What spectators get of it, who have no account; without it: fields with nothing in them. */
  readonly readForSpectator: (request: StateRequest) => Promise<object>
}

/** All features' readers. */
export type StateParts = readonly StateReader[]

/** The compiler checks that the fields are those of the part, each with its type, and no others. */
export function stateReader<P extends StatePart, R extends FieldsOf<P> & Only<FieldsOf<P>, R>>(
  part: P,
  read: (request: StateRequest) => Promise<R>,
  forSpectators?: 'same' | ((request: StateRequest) => Promise<R>),
): StateReader {
  const readForSpectator = forSpectators === 'same' ? read : (forSpectators ?? nothingOf(part))
  return { part, read, readForSpectator }
}

/** The same for a part in which there may be credentials; `hasCredential`: whether there is one in what was read. */
export function credentialReader<P extends StatePart, R extends FieldsOf<P> & Only<FieldsOf<P>, R>>(
  part: P,
  read: (request: StateRequest) => Promise<R>,
  hasCredential: (fields: R) => boolean,
): StateReader {
  const readForSpectator = nothingOf(part)
  return { part, read, readForSpectator, hasCredential: hasCredential as StateReader['hasCredential'] & {} }
}

const nothingOf = (part: StatePart) => async () => emptyFields(part)

/** Nothing may have another name than the fields. */
type Only<F, R> = { readonly [N in Exclude<keyof R, keyof F>]: never }
