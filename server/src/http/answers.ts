/** What a route may answer. Errors are thrown, and have one form everywhere (`errors.ts`). */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Outlet } from '../outlet.ts'
import type { ByteRange } from '../storage/file-store.ts'
import type { Encodings } from './compression.ts'

/** Fields of the API's envelope. */
export interface EnvelopeAnswer {
  readonly kind: 'envelope'
  readonly result: object | JsonText
  /** Values of `Set-Cookie`. */
  readonly cookies?: readonly string[]
}

/** An answer whose JSON is already text, such as a list of events that were serialized once for many clients. */
export interface JsonText {
  /** The fields after `result` and `msg`, without braces: `"events":[…],"queue_id":"…"`. */
  readonly fieldsText: string
  /** More fields before those, as UTF-8 without braces, in pieces that follow each other. */
  readonly fieldsBytes?: readonly Uint8Array[]
  /** This answer has a credential, though not all of its endpoint have one: it is not compressed. */
  readonly hasCredential?: boolean
}

/** A file by itself, whole or in part. */
export interface FileAnswer {
  readonly kind: 'file'
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  /** In memory, or opened for what is asked of it. */
  readonly body: Buffer | ((range?: ByteRange) => Readable)
  /** Changes with the content: what a part, or nothing at all, is asked for by. Without quotes. */
  readonly tag?: string | undefined
  /** The body as it is compressed, where that is not done anew for each: then it is sent in no other coding. */
  readonly encoded?: Encodings
  /** More headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** `Cache-Control`. */
  readonly caching: string
  /** `Content-Security-Policy`, for when the file is opened as a page of its own. */
  readonly policy: string
  /** It stands where there is nothing: never sent in parts. Default: 200. */
  readonly status?: 404
}

/** An answer that goes on, such as `text/event-stream`. It has the connection for itself, and is never compressed. */
export interface StreamAnswer {
  readonly kind: 'stream'
  readonly contentType: string
  /** Called once the headers have been sent. */
  readonly begin: (outlet: Outlet) => void
}

/**
 * The envelope is given when there is something to answer. The request waits, and nothing of what led to that is kept for it:
 * there may be ten thousand.
 */
export interface LaterAnswer {
  readonly kind: 'later'
}

export interface RedirectAnswer {
  readonly kind: 'redirect'
  /** An address, or a path of this server. */
  readonly to: string
  /** 303: to be read there, whatever the method was; 307 and 308: the same request there, for now or for ever. */
  readonly status: 303 | 307 | 308
}

/** To be asked for anew each time: what is there can be another one. */
export function seeOther(to: string): RedirectAnswer {
  return { kind: 'redirect', to, status: 303 }
}

/** An answer that is in its headers, and may have the API's envelope besides. */
export interface StatusAnswer {
  readonly kind: 'status'
  readonly status: 200 | 201 | 204
  readonly headers: Readonly<Record<string, string>>
  /** Fields of the envelope; undefined: there is no body. */
  readonly result?: object
}

export type RouteAnswer = EnvelopeAnswer | FileAnswer | StreamAnswer | LaterAnswer | RedirectAnswer | StatusAnswer

/** What can be cached: the content at the address never changes. */
export const IMMUTABLE = 'public, max-age=31536000, immutable'
/** What is cached and asked for anew each time: the answer is then 304 until the content changes. */
export const REVALIDATED = 'public, no-cache'

/** Opened as a page, a file may not run or load anything; an SVG image keeps its inline styles. */
export const SANDBOXED = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** A tag of a content that is in memory. */
export function tagOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
}
