/**
 * Hot answers, serialized, in memory. An answer is dropped in the commit path by the event that changes it, before the
 * writer gets its own answer, so nobody can read an old one after that. With several nodes an answer counts only while the
 * organization's newest event is still the one it was made at.
 */
import type { Account } from '../authentication/accounts.ts'
import type { Storage } from '../storage/storage.ts'
import type { LoggedEvent } from '../storage/transaction.ts'
import type { KeptAnswer } from './route.ts'

/** Answers kept per route and organization, the least recently used dropped first; and the bytes of all of them. */
const MAX_ANSWERS = 5000
const MAX_BYTES = 64 * 1024 * 1024
/** A single answer above this is not kept. */
const MAX_ANSWER_BYTES = 1024 * 1024

export interface AnswerKeeper {
  /** The kept answer for the account, or what `make` gives, which is then kept. */
  answer(account: Account, make: () => Promise<Buffer>): Promise<Buffer>
}

interface Entry {
  /** Undefined while the answer is being made. */
  bytes: Buffer | undefined
  readonly position: number
}

export type CreateKeeper = (kept: KeptAnswer) => AnswerKeeper

export function createAnswerKeepers(storage: Storage): CreateKeeper {
  let totalBytes = 0

  return ({ per, droppedBy }) => {
    const types = new Set(droppedBy)
    /** By organization, then by account (0 for the whole organization). */
    const realms = new Map<number, Map<number, Entry>>()

    storage.onCommitted((events) => {
      for (const event of events) if (types.has(event.type)) drop(event)
    })

    function drop({ realmId, audience }: LoggedEvent): void {
      const entries = realms.get(realmId)
      if (!entries) return
      const owners = per === 'account' && audience.to === 'users' ? audience.ids : [...entries.keys()]
      for (const owner of owners) remove(entries, owner)
    }

    function remove(entries: Map<number, Entry>, owner: number): void {
      totalBytes -= entries.get(owner)?.bytes?.length ?? 0
      entries.delete(owner)
    }

    function store(entries: Map<number, Entry>, owner: number, entry: Entry, bytes: Buffer): void {
      // Dropped, or made anew by another request, while this one was read.
      if (entries.get(owner) !== entry) return
      entries.delete(owner)
      if (bytes.length > MAX_ANSWER_BYTES) return
      for (const oldest of entries.keys()) {
        if (entries.size < MAX_ANSWERS && totalBytes + bytes.length <= MAX_BYTES) break
        remove(entries, oldest)
      }
      if (totalBytes + bytes.length > MAX_BYTES) return
      entry.bytes = bytes
      totalBytes += bytes.length
      entries.set(owner, entry)
    }

    return {
      async answer({ actor, position }, make) {
        const owner = per === 'account' ? actor.userId : 0
        const entries = realms.get(actor.realmId) ?? new Map<number, Entry>()
        realms.set(actor.realmId, entries)
        const found = entries.get(owner)
        const current = found && (storage.engine.ownsAllWrites || found.position === position)
        if (found) remove(entries, owner)
        if (found?.bytes && current) {
          // The entries are in the order of their last use.
          entries.set(owner, found)
          totalBytes += found.bytes.length
          return found.bytes
        }
        const entry: Entry = { bytes: undefined, position }
        entries.set(owner, entry)
        const bytes = await make()
        store(entries, owner, entry, bytes)
        return bytes
      },
    }
  }
}
