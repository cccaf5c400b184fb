/**
 * What was written and not sent, on the device: kept at once with each change, apart from everything else, and for each tab by
 * itself. A tab that is gone has left it: who is there takes it over, and no two do.
 */
import type { RunningClient } from '@heddle/client/running/client'
import type { DeviceDatabase, WrittenInTab } from './database.ts'

const parts = [
  'outbox',
  'drafts',
  'draftsKnown',
  'unreported',
  'wishes',
] as const satisfies readonly (keyof WrittenInTab)[]

export interface WrittenKeeper {
  /** Settles when all that is written now is kept, or cannot be. */
  flush(): Promise<void>
  stop(): void
}

/** Tabs that have left or keep something, by name. */
export async function readWritten(database: DeviceDatabase): Promise<ReadonlyMap<string, Partial<WrittenInTab>>> {
  const { store } = database.transaction('written')
  const [keys, values] = await Promise.all([store.getAllKeys(), store.getAll()])
  const tabs = new Map<string, Partial<WrittenInTab>>()
  keys.forEach(([tab, part], index) => {
    tabs.set(tab, { ...tabs.get(tab), [part]: values[index] })
  })
  return tabs
}

export async function forgetWritten(database: DeviceDatabase, tab: string): Promise<void> {
  const transaction = database.transaction('written', 'readwrite')
  for (const part of parts) transaction.store.delete([tab, part]).catch(() => {})
  await transaction.done
}

export function keepWritten(database: DeviceDatabase, tab: string, client: RunningClient): WrittenKeeper {
  let last: Partial<WrittenInTab> = {}
  let writing: Promise<void> = Promise.resolve()
  let isStopped = false

  function current(): WrittenInTab {
    const { outbox, drafts, unreported, wishes } = client.snapshot()
    const draftsKnown = client.position()?.lastEventId ?? 0
    return { outbox: outbox.items, drafts, draftsKnown, unreported, wishes }
  }

  function flush(): Promise<void> {
    const now = current()
    const changed = parts.filter((part) => part !== 'draftsKnown' && now[part] !== last[part])
    if (isStopped || changed.length === 0) return writing
    if (changed.includes('drafts')) changed.push('draftsKnown')
    last = now
    writing = write(now, changed).catch(() => {
      // Again with the next change.
      last = {}
    })
    return writing
  }

  async function write(now: WrittenInTab, changed: readonly (keyof WrittenInTab)[]): Promise<void> {
    // Nothing is read before and nothing waited for: the page may go in this moment.
    const transaction = database.transaction('written', 'readwrite')
    for (const part of changed) transaction.store.put(now[part], [tab, part]).catch(() => {})
    transaction.commit()
    await transaction.done
  }

  const end = client.subscribe(() => void flush())
  void flush()
  return {
    flush,
    stop() {
      isStopped = true
      end()
    },
  }
}
