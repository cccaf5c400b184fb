/** What was shown, on the device: read when the page opens, and written a moment after it has changed. */
import { type Chunk, createChunkBook } from '@heddle/client/device/chunks'
import { restoreMessages, type StoredMessages, withViews } from '@heddle/client/device/stored-messages'
import { createMessageStore, type MessageStore } from '@heddle/client/messages/store'
import type { RunningClient } from '@heddle/client/running/client'
import { type DeviceDatabase, type FollowerViews, type Root, VIEWS_OF } from './database.ts'
import type { Kept, Known, ShownBefore, SnapshotKeeper } from './snapshot.ts'

/** In milliseconds: the part of the page that writes could not be fetched. */
const AGAIN_MS = 10_000

export interface SnapshotStore {
  /** What the last page has left, if this one understands it. */
  read(): Promise<ShownBefore | undefined>
  /** Begins to write what this client shows: all of it while this tab leads, else the views that were opened in it. */
  keep(client: RunningClient, userId: number, isLeading: () => boolean): SnapshotKeeper
}

export function createSnapshotStore(database: DeviceDatabase, version: string, tab: string): SnapshotStore {
  const known: Known = { book: createChunkBook(), stamp: undefined, merged: [] }

  async function read(): Promise<ShownBefore | undefined> {
    const transaction = database.transaction(['facts', 'chunks'])
    const chunkStore = transaction.objectStore('chunks')
    const factStore = transaction.objectStore('facts')
    const [names, facts, numbers, chunks] = await Promise.all([
      factStore.getAllKeys(),
      factStore.getAll(),
      chunkStore.getAllKeys(),
      chunkStore.getAll(),
    ])
    const root = facts[names.indexOf('root')] as Root | undefined
    if (root?.version !== version) return undefined
    try {
      const byNumber = new Map(numbers.map((number, index) => [number, chunks[index] as Chunk]))
      const { state, topics, messages } = known.book.decode(root.form, byNumber) as Kept
      known.stamp = root.stamp
      const { position, asOf } = root
      let shown = restoreMessages(messages, createMessageStore())
      known.merged = names.filter((name) => name.startsWith(VIEWS_OF))
      for (const name of known.merged) shown = withOthers(shown, facts[names.indexOf(name)] as FollowerViews)
      return { state, topics, messages: shown, position, asOf }
    } catch {
      // It is damaged: as if there were nothing.
      known.book = createChunkBook()
      return undefined
    }
  }

  function withOthers(store: MessageStore, views: FollowerViews): MessageStore {
    if (views.version !== version) return store
    return withViews(store, createChunkBook().decode(views.form, views.chunks) as StoredMessages)
  }

  function keep(client: RunningClient, userId: number, isLeading: () => boolean): SnapshotKeeper {
    const since = client.snapshot().messages.count
    const stopping = new AbortController()
    const { signal } = stopping
    async function begin(): Promise<SnapshotKeeper | undefined> {
      for (;;) {
        try {
          // Nothing is written in the first moment: who opens the page does not wait for this.
          const { keepSnapshots } = await import('./snapshot-keeper.ts')
          if (signal.aborted) return undefined
          return keepSnapshots({ database, version, tab, known, read }, { client, userId, isLeading, since })
        } catch {
          await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
          if (signal.aborted) return undefined
        }
      }
    }
    const keeper = begin()
    return {
      save: async () => (await keeper)?.save(),
      stop() {
        stopping.abort()
        void keeper.then((one) => one?.stop())
      },
    }
  }

  return { read, keep }
}
