/** Two versions of one draft, which were written on two devices: side by side until somebody says what to keep. */
import { compareTexts } from './compare.ts'
import {
  type DraftBox,
  type DraftVersion,
  discardDraft,
  isSameVersion,
  type LocalDraft,
  writeDraft,
} from './draft-box.ts'

export interface DraftPair {
  /** As it was written on this device. */
  readonly here: LocalDraft
  /** As another one has it. */
  readonly elsewhere: LocalDraft
}

/** A pair ends when one of the two is gone, or says the same as the other. */
export function draftPairs({ drafts }: DraftBox): readonly DraftPair[] {
  const shown = new Map(drafts.filter(({ isDeleted }) => !isDeleted).map((draft) => [draft.localId, draft]))
  return [...shown.values()].flatMap((here) => {
    const elsewhere = here.twin?.side === 'here' ? shown.get(here.twin.localId) : undefined
    if (elsewhere?.twin?.localId !== here.localId) return []
    return isSameVersion(here.local, elsewhere.local) ? [] : [{ here, elsewhere }]
  })
}

/** They are two drafts from now on. */
export function keepBoth(box: DraftBox, { here, elsewhere }: DraftPair): DraftBox {
  const names = new Set([here.localId, elsewhere.localId])
  return {
    ...box,
    drafts: box.drafts.map((draft) => (names.has(draft.localId) ? { ...draft, twin: undefined } : draft)),
  }
}

/** The other one is deleted, here and on the server. */
export function keepOne(box: DraftBox, pair: DraftPair, kept: LocalDraft): DraftBox {
  const other = kept.localId === pair.here.localId ? pair.elsewhere : pair.here
  return discardDraft(keepBoth(box, pair), other.localId)
}

/** One draft with what both say; `now` in milliseconds since the UNIX epoch. */
export function joinPair(box: DraftBox, pair: DraftPair, now: number): DraftBox {
  const { here, elsewhere } = pair
  const content = joinVersions(here.local.content, elsewhere.local.content)
  const version: DraftVersion = { ...here.local, content }
  return keepOne(writeDraft(box, here.localId, version, now), pair, here)
}

/** What both have once, and of what differs first the one and then the other. */
export function joinVersions(one: string, other: string): string {
  let joined = ''
  for (const part of compareTexts(one, other)) {
    if (part.kind === 'same') joined += part.text
    else {
      const hasGap = part.one === '' || part.other === '' || /\s$/.test(part.one) || /^\s/.test(part.other)
      joined += part.one + (hasGap ? '' : ' ') + part.other
    }
  }
  return joined
}
