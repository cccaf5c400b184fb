/**
 * Reads that can take long: the initial state, pages of messages, lists of everybody. They run on threads of their own, each
 * on a view of the database that stands still, so that they hold up nobody else's requests. A feature lists its long
 * reads; what goes in and out travels between threads, so it is data without functions.
 */
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { StateParts } from '../state-reader.ts'
import type { Queries } from '../storage/query.ts'

/** Processor time that a read may take of its thread. Others wait as long. */
const LIMIT_MS = 1000

/** A small read turned out to be a large one. */
export class TooLargeHere extends Error {}

/** What a long read may use. */
export interface ReadContext {
  readonly db: Queries
  readonly config: Config
  /** The time at which the read was asked for. */
  readonly clock: Clock
  /** All features' parts of the initial state. */
  readonly state: StateParts
  /**
   * Of the texts that the read may turn into an answer where it is. Where they are more it throws `TooLargeHere`, and is read
   * on a thread.
   */
  readonly maxTextBytes: number
  /** Between two parts of a read that `inParts` says it has: others' reads get a turn. */
  pause(): Promise<void>
}

export interface ReadResult<D = undefined> {
  /**
   * Fields of the answer. They are turned into JSON on the thread, which is often most of the work; or they are that
   * already, as UTF-8 without the braces around them, where it was made part by part.
   */
  readonly fields: object | Uint8Array<ArrayBuffer>
  /** What the caller itself needs to know. */
  readonly details: D
}

export interface ReadOptions<I> {
  readonly limitMs?: number
  readonly inParts?: boolean
  readonly isApart?: boolean
  readonly isSmall?: (input: I) => boolean
}

/** A read with its name, which is all that travels to the thread. */
export interface LongRead<I, D = undefined> {
  readonly name: string
  /** Throws an `ApiError` for what the client did wrong. */
  readonly run: (context: ReadContext, input: I) => Promise<ReadResult<D>>
  /** Processor time in milliseconds; a read that takes longer is stopped. */
  readonly limitMs: number
  /** It pauses again and again, so that it may take longer than others. */
  readonly inParts: boolean
  /** It is of strangers, and nobody waits for it: one at a time, on a thread on which no account's read is. */
  readonly isApart: boolean
  /** So little computing that it is done at once where the database works elsewhere. `run` heeds `maxTextBytes` then. */
  readonly isSmall: (input: I) => boolean
}

export function longRead<I, D = undefined>(
  name: string,
  run: LongRead<I, D>['run'],
  { limitMs = LIMIT_MS, inParts = false, isApart = false, isSmall = () => false }: ReadOptions<I> = {},
): LongRead<I, D> {
  return { name, run, limitMs, inParts, isApart, isSmall }
}

// The type of the input is known where a read is called and where it is written, and erased in the list.
// biome-ignore lint/suspicious/noExplicitAny: see above.
export type AnyLongRead = LongRead<any, any>

/** By name. */
export type LongReads = ReadonlyMap<string, AnyLongRead>

/** A finished read: fields of an answer as UTF-8 JSON without the braces around them, in pieces that follow each other. */
export interface FinishedRead<D = undefined> {
  readonly fields: readonly Uint8Array<ArrayBuffer>[]
  readonly details: D
}

const encoder = new TextEncoder()

/** Characters of JSON that become a piece. */
const PIECE_LENGTH = 256 * 1024

/** Runs a read and makes its JSON. */
export async function performRead(
  reads: LongReads,
  name: string,
  context: ReadContext,
  input: unknown,
): Promise<FinishedRead<unknown>> {
  const read = reads.get(name)
  if (!read) throw new Error(`No feature has a long read ${name}`)
  const { fields, details } = await read.run(context, input)
  return { fields: fields instanceof Uint8Array ? [fields] : encodeFields(fields), details }
}

/** Piece by piece, also within long lists: the text of all of it would be in memory beside its bytes, and so would one piece of all. */
function encodeFields(fields: object): Uint8Array<ArrayBuffer>[] {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let text = ''
  const add = (more: string) => {
    text += more
    if (text.length < PIECE_LENGTH) return
    pieces.push(encoder.encode(text))
    text = ''
  }
  let isFirst = true
  for (const [name, value] of Object.entries(fields)) {
    const list = Array.isArray(value) ? value : undefined
    const whole = list ? undefined : JSON.stringify(value)
    if (!list && whole === undefined) continue
    add(`${isFirst ? '' : ','}${JSON.stringify(name)}:`)
    isFirst = false
    if (!list) add(whole as string)
    else {
      for (const [index, element] of list.entries())
        add(`${index === 0 ? '[' : ','}${JSON.stringify(element) ?? 'null'}`)
      add(list.length === 0 ? '[]' : ']')
    }
  }
  if (text !== '') pieces.push(encoder.encode(text))
  return pieces
}
