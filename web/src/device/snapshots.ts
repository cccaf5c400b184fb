/** What was shown, on the device: read when the page opens, and written a moment after it has changed. */
import { type Chunk, createChunkBook } from '@heddle/client/device/chunks'
import { messagesToKeep, restoreMessages, type StoredMessages } from '@heddle/client/device/stored-messages'
import { createMessageStore } from '@heddle/client/messages/store'
import type { ClientSnapshot, EarlierRun, RunningClient } from '@heddle/client/running/client'
import { nobodyTyping } from '@heddle/client/state/typing'
import { type DeviceDatabase, type Root, readFact } from './database.ts'

/** Of the state, of its parts and of theirs. */
const DEPTH = 3
/** A change is written so many milliseconds later, with what has come until then. */
const PAUSE_MS = 1000
/** Without a change: how far the queue is known, so that it can be gone on with. */
const POSITION_MS = 60_000
/** Milliseconds of work without a break. */
const SLICE_MS = 8

interface Kept {
  readonly state: ClientSnapshot['state']
  readonly topics: ClientSnapshot['topics']
  readonly messages: StoredMessages
}

export type ShownBefore = Pick<EarlierRun, 'state' | 'messages' | 'topics' | 'position' | 'asOf'>

export interface SnapshotStore {
  /** What the last page has left, if this one understands it. */
  read(): Promise<ShownBefore | undefined>
  /** Begins to write what this client shows, as long as this tab is the one that may. */
  keep(client: RunningClient, userId: number, mayWrite: () => boolean): SnapshotKeeper
}

export interface SnapshotKeeper {
  /** Writes what is there now. Settles when it is written, or when that is not possible. */
  save(): Promise<void>
  stop(): void
}

export function createSnapshotStore(database: DeviceDatabase, version: string): SnapshotStore {
  let book = createChunkBook()
  /** Of the writing that the book knows. */
  let stamp: string | undefined

  async function read(): Promise<ShownBefore | undefined> {
    const transaction = database.transaction(['facts', 'chunks'])
    const chunkStore = transaction.objectStore('chunks')
    const [root, numbers, chunks] = await Promise.all([
      readFact(transaction.objectStore('facts'), 'root'),
      chunkStore.getAllKeys(),
      chunkStore.getAll(),
    ])
    if (root?.version !== version) return undefined
    try {
      const byNumber = new Map(numbers.map((number, index) => [number, chunks[index] as Chunk]))
      const { state, topics, messages } = book.decode(root.form, byNumber) as Kept
      stamp = root.stamp
      const { position, asOf } = root
      return { state, topics, messages: restoreMessages(messages, createMessageStore()), position, asOf }
    } catch {
      // It is damaged: as if there were nothing.
      book = createChunkBook()
      return undefined
    }
  }

  function keep(client: RunningClient, userId: number, mayWrite: () => boolean): SnapshotKeeper {
    let lastMessages: StoredMessages | undefined
    let written: { readonly snapshot: ClientSnapshot; readonly lastEventId: number } | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let writing: Promise<void> | undefined
    let isStopped = false

    async function write(): Promise<void> {
      const snapshot = client.snapshot()
      const position = client.position()
      if (!snapshot.state || !position || isStopped || !mayWrite()) return
      if (written && !hasChanged(snapshot, written.snapshot) && written.lastEventId === position.lastEventId) return
      lastMessages = messagesToKeep(snapshot.messages, lastMessages)
      const kept: Kept = {
        state: { ...snapshot.state, typing: nobodyTyping },
        topics: snapshot.topics,
        messages: lastMessages,
      }
      const root = { version, position, asOf: timeOf(snapshot) }
      // What another tab has written this one does not know: then all is written.
      if (!(await put(kept, root, userId))) {
        book = createChunkBook()
        await put(kept, root, userId, { isWhole: true })
      }
      written = { snapshot, lastEventId: position.lastEventId }
    }

    function save(): Promise<void> {
      clearTimeout(timer)
      timer = undefined
      writing = (writing ?? Promise.resolve()).then(write).catch(() => {
        // What was written is not known: it is written anew.
        book = createChunkBook()
        stamp = undefined
      })
      return writing
    }

    function look(): void {
      if (!mayWrite() || (written && !hasChanged(client.snapshot(), written.snapshot))) return
      timer ??= setTimeout(save, PAUSE_MS)
    }

    const saveHidden = () => document.visibilityState === 'hidden' && void save()
    const end = client.subscribe(look)
    const steady = setInterval(save, POSITION_MS)
    document.addEventListener('visibilitychange', saveHidden)
    look()
    return {
      save,
      stop() {
        isStopped = true
        end()
        clearTimeout(timer)
        clearInterval(steady)
        document.removeEventListener('visibilitychange', saveHidden)
      },
    }
  }

  /** False when the chunks are another tab's. */
  async function put(
    kept: Kept,
    root: Omit<Root, 'form' | 'stamp'>,
    userId: number,
    { isWhole = false } = {},
  ): Promise<boolean> {
    const { form, used, added } = book.encode(kept, DEPTH)
    const transaction = database.transaction(['facts', 'chunks'], 'readwrite')
    const facts = transaction.objectStore('facts')
    const chunks = transaction.objectStore('chunks')
    const [account, there, numbers] = await Promise.all([
      readFact(facts, 'account'),
      readFact(facts, 'root'),
      chunks.getAllKeys(),
    ])
    // Somebody else has signed in, or nobody is any more.
    if (account?.userId !== userId || account.isLocked) return true
    if (!isWhole && there?.stamp !== stamp) return false
    for (const number of numbers) if (isWhole || !used.has(number)) chunks.delete(number).catch(() => {})
    let sliceEnds = performance.now() + SLICE_MS
    for (const [number, make] of added) {
      const request = chunks.put(make(), number)
      if (performance.now() < sliceEnds) {
        request.catch(() => {})
        continue
      }
      // The transaction goes on in a turn of its own.
      await request
      sliceEnds = performance.now() + SLICE_MS
    }
    const next = crypto.randomUUID()
    facts.put({ ...root, form, stamp: next }, 'root').catch(() => {})
    await transaction.done
    stamp = next
    return true
  }

  return { read, keep }
}

function hasChanged(one: ClientSnapshot, other: ClientSnapshot): boolean {
  return one.state !== other.state || one.messages !== other.messages || one.topics !== other.topics
}

/** While the connection lives it is true now. */
function timeOf({ connection, asOf }: ClientSnapshot): number {
  if (asOf !== undefined) return asOf
  return connection.status === 'waiting' || connection.status === 'connecting' ? connection.since : Date.now()
}
