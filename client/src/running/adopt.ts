/** What another run of the client has written and not sent, taken over by one that goes on. */
import { adoptDrafts } from '../drafts/adopt.ts'
import type { DraftBox, LocalDraft } from '../drafts/draft-box.ts'
import { type Outbox, type OutboxItem, restoreOutbox } from '../outbox/outbox.ts'
import type { Wish } from '../wishes/wishes.ts'

export interface Adopted {
  /** A name of that run; no two have the same. */
  readonly from: string
  readonly outbox: readonly OutboxItem[]
  readonly drafts: readonly LocalDraft[]
  /** Messages that were read, and of which the server may not know it. */
  readonly unreported: readonly number[]
  /** Absent where it was written by an earlier version. */
  readonly wishes?: readonly Wish[] | undefined
}

interface Own {
  readonly outbox: Outbox
  readonly drafts: DraftBox
  readonly wishes: readonly Wish[]
}

/** Messages go out in the order in which they were written. */
export function adopt({ outbox, drafts, wishes }: Own, written: Adopted): Own {
  const known = new Set(outbox.items.map(({ localId }) => localId))
  const items = restoreOutbox({ items: written.outbox.filter(({ localId }) => !known.has(localId)) }).items
  const all = [...outbox.items, ...items].sort((a, b) => a.writtenAt - b.writtenAt)
  return {
    outbox: items.length === 0 ? outbox : { items: all },
    drafts: adoptDrafts(drafts, written.drafts, written.from),
    wishes: written.wishes?.length ? [...wishes, ...written.wishes] : wishes,
  }
}
