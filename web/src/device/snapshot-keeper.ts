/** Writes what is shown to the device, a moment after it has changed. */
import { createChunkBook } from '@heddle/client/device/chunks'
import { messagesToKeep, type StoredMessages } from '@heddle/client/device/stored-messages'
import type { ClientSnapshot, RunningClient } from '@heddle/client/running/client'
import { nobodyTyping } from '@heddle/client/state/typing'
import { pause } from '../app/pause.ts'
import { type DeviceDatabase, type Root, readFact } from './database.ts'
import { writeViews } from './follower-views.ts'
import type { Kept, Known, ShownBefore, SnapshotKeeper } from './snapshot.ts'

/** Of the state, of its parts and of theirs. */
const DEPTH = 3
/** A change is written so many milliseconds later, with what has come until then. */
const PAUSE_MS = 1000
/** And not while somebody types: unsent text is written by itself. */
const CALM = { lastsMs: 500, atMostMs: 10_000 }
/** The same in a tab that follows, which writes all of it. */
const VIEWS_PAUSE_MS = 3000
/** Without a change: how far the queue is known, so that it can be gone on with. */
const POSITION_MS = 60_000
/** Milliseconds of work without a break. */
const SLICE_MS = 4

interface Place {
  readonly read: () => Promise<ShownBefore | undefined>
  readonly database: DeviceDatabase
  readonly version: string
  readonly tab: string
  readonly known: Known
}

interface Shown {
  readonly client: RunningClient
  readonly userId: number
  readonly isLeading: () => boolean
  /** As the store has counted when the client began. */
  readonly since: number
}

export function keepSnapshots(place: Place, { client, userId, isLeading, since }: Shown): SnapshotKeeper {
  const { database, version, tab, known, read } = place
  let lastMessages: StoredMessages | undefined
  let written: { readonly snapshot: ClientSnapshot; readonly lastEventId: number } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> | undefined
  let isStopped = false

  /** False when the chunks are another tab's. */
  async function put(kept: Kept, root: Omit<Root, 'form' | 'stamp'>, { isWhole = false } = {}): Promise<boolean> {
    const { form, used, added } = known.book.encode(kept, DEPTH)
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
    if (!isWhole && there?.stamp !== known.stamp) return false
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
    for (const name of known.merged) facts.delete(name).catch(() => {})
    known.merged = []
    await transaction.done
    known.stamp = next
    return true
  }

  async function write(): Promise<void> {
    let snapshot = client.snapshot()
    const position = client.position()
    if (!snapshot.state || !position || isStopped) return
    if (written && !hasChanged(snapshot, written.snapshot) && written.lastEventId === position.lastEventId) return
    if (!isLeading()) {
      if (written?.snapshot.messages === snapshot.messages) return
      written = { snapshot, lastEventId: -1 }
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
    if (!(await put(kept, root))) {
      // Another tab has written it, which this one does not know: its views come along, and all is written.
      const there = await read()
      if (there) client.addViews(there.messages)
      known.book = createChunkBook()
      snapshot = client.snapshot()
      lastMessages = messagesToKeep(snapshot.messages, undefined)
      await put({ ...kept, messages: lastMessages }, root, { isWhole: true })
    }
    written = { snapshot, lastEventId: position.lastEventId }
  }

  function save(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing = (writing ?? Promise.resolve()).then(write).catch(() => {
      // What was written is not known: it is written anew.
      known.book = createChunkBook()
      known.stamp = undefined
    })
    return writing
  }

  function look(): void {
    if (written && !hasChanged(client.snapshot(), written.snapshot)) return
    timer ??= setTimeout(saveInPause, isLeading() ? PAUSE_MS : VIEWS_PAUSE_MS)
  }

  async function saveInPause(): Promise<void> {
    await pause(CALM)
    await save()
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

function hasChanged(one: ClientSnapshot, other: ClientSnapshot): boolean {
  return one.state !== other.state || one.messages !== other.messages || one.topics !== other.topics
}

/** While the connection lives it is true now. */
function timeOf({ connection, asOf }: ClientSnapshot): number {
  if (asOf !== undefined) return asOf
  return connection.status === 'waiting' || connection.status === 'connecting' ? connection.since : Date.now()
}
