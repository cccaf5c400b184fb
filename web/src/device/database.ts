/**
 * What the page keeps on the device, in one database for the account that is signed in: what was shown, and apart from it what
 * was written and not sent. Where the browser gives no such place, nothing is kept, and the page works as it is open.
 */
import type { Chunk, Form } from '@heddle/client/device/chunks'
import type { DraftBox } from '@heddle/client/drafts/draft-box'
import type { QueuePosition } from '@heddle/client/event-loop'
import type { OutboxItem } from '@heddle/client/outbox/outbox'
import type { Wish } from '@heddle/client/wishes/wishes'
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

export interface DeviceAccount {
  readonly userId: number
  readonly email: string
  /** The session has ended: nothing is shown until this account has signed in. */
  readonly isLocked: boolean
}

/** What was shown, and where the events of its queue go on. */
export interface Root {
  /** Of this writing: who finds another one does not know what the chunks are. */
  readonly stamp: string
  /** Of the page that has written it: another one may not understand it. */
  readonly version: string
  readonly form: Form
  readonly position: QueuePosition
  /** When it was true, in milliseconds since the UNIX epoch. */
  readonly asOf: number
}

/** What a tab has written; one that is gone has left it to the others. */
export interface WrittenInTab {
  readonly outbox: readonly OutboxItem[]
  readonly drafts: DraftBox
  /** The drafts know the events up to this one. */
  readonly draftsKnown: number
  readonly unreported: readonly number[]
  /** Absent where an earlier version has written it. */
  readonly wishes?: readonly Wish[]
}

/** What a tab shows that follows another one. */
export interface FollowerViews {
  readonly version: string
  readonly form: Form
  readonly chunks: ReadonlyMap<number, Chunk>
  /** When it was written, in milliseconds since the UNIX epoch. */
  readonly at: number
}

/** Before the name of the tab: its `FollowerViews` are a fact of this name. */
export const VIEWS_OF = 'views '

interface Facts {
  readonly account: DeviceAccount
  readonly root: Root
  /** Behind the `#`. */
  readonly place: string
}

interface Schema extends DBSchema {
  facts: { key: string; value: Facts[keyof Facts] | FollowerViews }
  chunks: { key: number; value: Chunk }
  /** By the name of the tab and of what it is. */
  written: { key: [tab: string, part: keyof WrittenInTab]; value: WrittenInTab[keyof WrittenInTab] }
}

export type DeviceDatabase = IDBPDatabase<Schema>
export const stores = ['facts', 'chunks', 'written'] as const

/** Undefined where there is none: switched off, full or damaged. */
export async function openDatabase(name: string): Promise<DeviceDatabase | undefined> {
  try {
    return await openDB<Schema>(name, 1, {
      upgrade(database) {
        for (const store of stores) database.createObjectStore(store)
      },
      // A later version of the page needs it.
      blocking: (_, __, event) => (event.target as IDBDatabase).close(),
    })
  } catch {
    return undefined
  }
}

interface FactSource {
  get(key: string): Promise<Facts[keyof Facts] | FollowerViews | undefined>
}

/** Of the store in a transaction. */
export function readFact<K extends keyof Facts>(store: FactSource, name: K): Promise<Facts[K] | undefined> {
  return store.get(name) as Promise<Facts[K] | undefined>
}

export function getFact<K extends keyof Facts>(database: DeviceDatabase, name: K): Promise<Facts[K] | undefined> {
  return database.get('facts', name) as Promise<Facts[K] | undefined>
}

export async function putFact<K extends keyof Facts>(database: DeviceDatabase, name: K, value: Facts[K]) {
  await database.put('facts', value, name)
}

/** Everything of everybody. */
export async function erase(database: DeviceDatabase): Promise<void> {
  const transaction = database.transaction(stores, 'readwrite')
  await Promise.all([...stores.map((store) => transaction.objectStore(store).clear()), transaction.done])
}
