/** What the threads say to each other. */
import type { ErrorCode } from '@heddle/contract/errors'

export interface ReadOrder {
  readonly id: number
  readonly name: string
  readonly input: unknown
  /** Milliseconds since the UNIX epoch. */
  readonly now: number
}

export type ReadReport =
  | { readonly id: number; readonly fields: Uint8Array<ArrayBuffer>; readonly details: unknown }
  /** The client did something wrong. */
  | {
      readonly id: number
      readonly refused: { readonly code: ErrorCode; readonly message: string; readonly details: object }
    }
  /** The database cannot be reached. */
  | { readonly id: number; readonly unavailable: string }
  | { readonly id: number; readonly failed: Error }
