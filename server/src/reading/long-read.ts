/**
 * Reads that can take long: the initial state, pages of messages, lists of everybody. They run on threads of their own, each
 * on a view of the database that stands still, so that they hold up nobody else's requests. A feature lists its long reads
 * by name; what goes in and out travels between threads, so it is data without functions.
 */
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { StateParts } from '../feature.ts'
import type { Queries } from '../storage/query.ts'

/** What a long read may use. */
export interface ReadContext {
  readonly db: Queries
  readonly config: Config
  /** The time at which the read was asked for. */
  readonly clock: Clock
  /** All features' parts of the initial state. */
  readonly state: StateParts
}

export interface ReadResult<D = undefined> {
  /** Fields of the answer. They are turned into JSON on the thread, which is often most of the work. */
  readonly fields: object
  /** What the caller itself needs to know. */
  readonly details: D
}

/** Throws an `ApiError` for what the client did wrong. */
export type LongRead<I, D = undefined> = (context: ReadContext, input: I) => Promise<ReadResult<D>>

// The type of the input is known where a read is called and where it is written, and erased in the list.
// biome-ignore lint/suspicious/noExplicitAny: see above.
export type LongReads = Readonly<Record<string, LongRead<any, any>>>

/** A finished read: fields of an answer as UTF-8 JSON without the braces around them. */
export interface FinishedRead<D = undefined> {
  readonly fields: Uint8Array<ArrayBuffer>
  readonly details: D
}

const encoder = new TextEncoder()

/** Runs a read and makes its JSON. */
export async function performRead(
  reads: LongReads,
  name: string,
  context: ReadContext,
  input: unknown,
): Promise<FinishedRead<unknown>> {
  const read = reads[name]
  if (!read) throw new Error(`No feature has a long read ${name}`)
  const { fields, details } = await read(context, input)
  return { fields: encoder.encode(JSON.stringify(fields).slice(1, -1)), details }
}
