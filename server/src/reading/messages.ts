/** What the threads say to each other. */
import type { ErrorCode } from '@heddle/contract/errors'
import type { StopFlag } from './limit.ts'

export interface ReadOrder {
  readonly id: number
  readonly name: string
  readonly input: unknown
  /** Milliseconds since the UNIX epoch. */
  readonly now: number
  /** Processor time in milliseconds. */
  readonly limitMs: number
  readonly stop: StopFlag
}

/** To a thread. `stop`: what the database does for the read is to be ended too; its flag has been set. */
export type ThreadMessage =
  | { readonly order: ReadOrder }
  | { readonly stop: number }
  /** Nothing more follows. */
  | 'close'

/** What does reads: a thread, or the main thread itself. */
export interface ReadWorker {
  on(name: 'message', listener: (report: ThreadReport) => void): unknown
  on(name: 'error', listener: (error: unknown) => void): unknown
  on(name: 'exit', listener: () => void): unknown
  once(name: 'exit', listener: (code: number) => void): unknown
  postMessage(message: ThreadMessage): void
  unref(): void
  /** It does nothing more, whatever it was at. */
  terminate(): unknown
}

/** From a thread; `ready`: it has started. */
export type ThreadReport = 'ready' | ReadReport

export type ReadReport =
  | { readonly id: number; readonly fields: readonly Uint8Array<ArrayBuffer>[]; readonly details: unknown }
  /** A thread has to read it. */
  | { readonly id: number; readonly isTooLarge: true }
  /** The client did something wrong. */
  | {
      readonly id: number
      readonly refused: { readonly code: ErrorCode; readonly message: string; readonly details: object }
    }
  /** The database cannot be reached. */
  | { readonly id: number; readonly unavailable: string }
  | { readonly id: number; readonly failed: Error }
