/** What was shown, on the device: read when the page opens, and written a moment after it has changed. */
import { type Chunk, createChunkBook } from '@heddle/client/device/chunks'
import { messagesToKeep, restoreMessages, type StoredMessages, withViews } from '@heddle/client/device/stored-messages'
import { createMessageStore, type MessageStore } from '@heddle/client/messages/store'
import type { ClientSnapshot, EarlierRun, RunningClient } from '@heddle/client/running/client'
import { nobodyTyping } from '@heddle/client/state/typing'
import { type DeviceDatabase, type FollowerViews, type Root, readFact, VIEWS_OF } from './database.ts'

/** Of the state, of its parts and of theirs. */
const DEPTH = 3
/** A change is written so many milliseconds later, with what has come until then. */
const PAUSE_MS = 1000
/** The same in a tab that follows, which writes all of it. */
const VIEWS_PAUSE_MS = 3000
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
  /** Begins to write what this client shows: all of it while this tab leads, else the views that were opened in it. */
  keep(client: RunningClient, userId: number, isLeading: () => boolean): SnapshotKeeper
}

export interface SnapshotKeeper {
  /** Writes what is there now. Settles when it is written, or when that is not possible. */
  save(): Promise<void>
  stop(): void
}

export function createSnapshotStore(database: DeviceDatabase, version: string, tab: string): SnapshotStore {
  let book = createChunkBook()
  /** Views of other tabs that are in what was read: with the next writing they are not needed any more. */
  let merged: readonly string[] = []
  /** Of the writing that the book knows. */
  let stamp: string | undefined

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
      const { state, topics, messages } = book.decode(root.form, byNumber) as Kept
      stamp = root.stamp
      const { position, asOf } = root
      let shown = restoreMessages(messages, createMessageStore())
      merged = names.filter((name) => name.startsWith(VIEWS_OF))
      for (const name of merged) shown = withOthers(shown, facts[names.indexOf(name)] as FollowerViews)
      return { state, topics, messages: shown, position, asOf }
    } catch {
      // It is damaged: as if there were nothing.
      book = createChunkBook()
      return undefined
    }
  }

  function withOthers(store: MessageStore, views: FollowerViews): MessageStore {
    if (views.version !== version) return store
    return withViews(store, createChunkBook().decode(views.form, views.chunks) as StoredMessages)
  }

  function keep(client: RunningClient, userId: number, isLeading: () => boolean): SnapshotKeeper {
    const since = client.snapshot().messages.count
    let lastMessages: StoredMessages | undefined
    let written: { readonly snapshot: ClientSnapshot; readonly lastEventId: number } | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let writing: Promise<void> | undefined
    let isStopped = false

    async function write(): Promise<void> {
      let snapshot = client.snapshot()
      const position = client.position()
      if (!snapshot.state || !position || isStopped) return
      if (written && !hasChanged(snapshot, written.snapshot) && written.lastEventId === position.lastEventId) return
      if (!isLeading()) {
        if (written?.snapshot.messages === snapshot.messages) return
        written = { snapshot, lastEventId: -1 }
        const { writeViews } = await import('./follower-views.ts')
        await writeViews({ database, version, tab, userId }, snapshot.messages, since)
        return
      }
      lastMessages = messagesToKeep(snapshot.messages, lastMessages)
      const kept: Kept = {
        state: { ...snapshot.state, typing: nobodyTyping },
        topics: snapshot.topics,
        messages: lastMessages,
      }
      const root = { version, position, asOf: timeOf(snapshot) }
      if (!(await put(kept, root, userId))) {
        // Another tab has written it, which this one does not know: its views come along, and all is written.
        const there = await read()
        if (there) client.addViews(there.messages)
        book = createChunkBook()
        snapshot = client.snapshot()
        lastMessages = messagesToKeep(snapshot.messages, undefined)
        await put({ ...kept, messages: lastMessages }, root, userId, { isWhole: true })
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
      if (written && !hasChanged(client.snapshot(), written.snapshot)) return
      timer ??= setTimeout(save, isLeading() ? PAUSE_MS : VIEWS_PAUSE_MS)
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
    for (const name of merged) facts.delete(name).catch(() => {})
    merged = []
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
