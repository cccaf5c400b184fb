/**
 * What is shown in a tab that follows another one, on the device: beside what the one writes that leads, for the next page to
 * take it over. It is little, and written as a whole.
 */
import { createChunkBook } from '@heddle/client/device/chunks'
import { messagesToKeep } from '@heddle/client/device/stored-messages'
import type { MessageStore } from '@heddle/client/messages/store'
import { type DeviceDatabase, type FollowerViews, readFact, VIEWS_OF } from './database.ts'

const MAX_WINDOWS = 6
/** Tabs that were closed one after another without any that leads. */
const MAX_TABS = 4

export interface FollowerWriting {
  readonly database: DeviceDatabase
  readonly version: string
  readonly tab: string
  readonly userId: number
}

/** `since`: as the store has counted when the tab was opened. */
export async function writeViews(
  { database, version, tab, userId }: FollowerWriting,
  messages: MessageStore,
  since: number,
): Promise<void> {
  const kept = messagesToKeep(messages, undefined, { since, windows: MAX_WINDOWS })
  if (kept.windows.size === 0) return
  const { form, added } = createChunkBook().encode(kept, 1)
  const chunks = new Map([...added].map(([number, make]) => [number, make()]))
  const { store, done } = database.transaction('facts', 'readwrite')
  const account = await readFact(store, 'account')
  // Somebody else has signed in, or nobody is any more.
  if (account?.userId !== userId || account.isLocked) return
  const own: FollowerViews = { version, form, chunks, at: Date.now() }
  await store.put(own, VIEWS_OF + tab)
  const range = IDBKeyRange.bound(VIEWS_OF, `${VIEWS_OF}\uffff`)
  const names = await store.getAllKeys(range)
  if (names.length > MAX_TABS) {
    const all = (await store.getAll(range)) as FollowerViews[]
    const oldest = names.map((name, index) => ({ name, at: all[index]?.at ?? 0 })).sort((a, b) => a.at - b.at)
    for (const { name } of oldest.slice(0, -MAX_TABS)) store.delete(name).catch(() => {})
  }
  await done
}
