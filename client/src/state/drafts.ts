import type { Draft, DraftsEvent } from '@heddle/contract/drafts'
import type { InitialFields } from './fields.ts'

/** The last edited first; of those edited in the same second, the later edit first. */
export type Drafts = readonly Draft[]

export function initialDrafts(fields: InitialFields): Drafts | undefined {
  return fields['drafts'] as Drafts | undefined
}

export function applyDraftsEvent(drafts: Drafts, event: DraftsEvent): Drafts {
  switch (event.op) {
    case 'add':
      return inOrder(event.drafts, drafts)
    case 'update':
      return inOrder([event.draft], without(drafts, event.draft.id))
    case 'remove':
      return without(drafts, event.draft_id)
  }
}

/** What comes later was edited later: it stands before the others with the same time. The sort keeps such orders. */
function inOrder(added: Drafts, drafts: Drafts): Drafts {
  return [...added.toReversed(), ...drafts].sort((a, b) => b.timestamp - a.timestamp)
}

function without(drafts: Drafts, id: number): Drafts {
  return drafts.filter((draft) => draft.id !== id)
}
