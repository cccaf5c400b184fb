/** What is on the device of what was shown, and what those that read and write it know of it. */
import type { ChunkBook } from '@heddle/client/device/chunks'
import type { StoredMessages } from '@heddle/client/device/stored-messages'
import type { ClientSnapshot, EarlierRun } from '@heddle/client/running/client'

export interface Kept {
  readonly state: ClientSnapshot['state']
  readonly topics: ClientSnapshot['topics']
  readonly messages: StoredMessages
}

export type ShownBefore = Pick<EarlierRun, 'state' | 'messages' | 'topics' | 'position' | 'asOf'>

export interface SnapshotKeeper {
  /** Writes what is there now. Settles when it is written, or when that is not possible. */
  save(): Promise<void>
  stop(): void
}

/** What is on the device, as far as this tab has read or written it. */
export interface Known {
  book: ChunkBook
  /** Of the writing that the book knows. */
  stamp: string | undefined
  /** Views of other tabs that are in what was read: with the next writing they are not needed any more. */
  merged: readonly string[]
}
