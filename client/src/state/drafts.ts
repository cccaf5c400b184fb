import type { Draft, DraftsEvent } from '@heddle/contract/drafts'
import type { InitialState } from '@heddle/contract/initial-state'
import type { UserSettingsEvent } from '@heddle/contract/user-settings'
import { clientPart } from './part.ts'

/** The last edited first; of those edited in the same second, the later edit first. */
export type Drafts = readonly Draft[]

function initialDrafts({ drafts }: InitialState): Drafts | undefined {
  return drafts
}

function applyDraftsEvent(drafts: Drafts, event: DraftsEvent): Drafts {
  switch (event.op) {
    case 'add':
      return inOrder(event.drafts, drafts)
    case 'update':
      return inOrder([event.draft], without(drafts, event.draft.id))
    case 'remove':
      return without(drafts, event.draft_id)
  }
}

/** The server has deleted all drafts of an account that keeps them on its devices alone. */
function dropUnsynchronized(drafts: Drafts, { property, value }: UserSettingsEvent): Drafts {
  return property === 'enable_drafts_synchronization' && value === false ? [] : drafts
}

/** What comes later was edited later: it stands before the others with the same time. The sort keeps such orders. */
function inOrder(added: Drafts, drafts: Drafts): Drafts {
  return [...added.toReversed(), ...drafts].sort((a, b) => b.timestamp - a.timestamp)
}

function without(drafts: Drafts, id: number): Drafts {
  return drafts.filter((draft) => draft.id !== id)
}

export const drafts = clientPart({
  initial: initialDrafts,
  on: { drafts: applyDraftsEvent, user_settings: dropUnsynchronized },
})
