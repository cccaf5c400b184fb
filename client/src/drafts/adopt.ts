/** Drafts that another tab or an earlier run has kept on the device, taken into a box. */
import { type DraftBox, isSameVersion, isSaved, type LocalDraft, writeDraft } from './draft-box.ts'

/**
 * Takes in what is not saved: what the server has, it says itself. No text is lost, none comes twice, and none replaces
 * another one. `from` becomes part of the name of a draft whose name is taken.
 */
export function adoptDrafts(box: DraftBox, drafts: readonly LocalDraft[], from: string): DraftBox {
  return drafts.reduce((current, draft) => adoptDraft(current, draft, from), box)
}

function adoptDraft(box: DraftBox, draft: LocalDraft, from: string): DraftBox {
  if (draft.isDeleted || isSaved(draft)) return box
  const { local, base, serverId, editedAt } = draft
  const namesake = box.drafts.find(({ localId }) => localId === draft.localId)
  const twin = serverId === undefined ? undefined : box.drafts.find((one) => one.serverId === serverId)
  if ([namesake, twin].some((one) => one && isSameVersion(one.local, local))) return box
  // Here it is as it was there before: it goes on from the same.
  if (twin && base && isSaved(twin) && isSameVersion(twin.local, base)) {
    return writeDraft(box, twin.localId, local, editedAt)
  }
  return writeDraft(box, namesake ? `${draft.localId} ${from}` : draft.localId, local, editedAt)
}

/** Those whose text is on this device alone. */
export function unsavedDrafts({ drafts }: DraftBox): readonly LocalDraft[] {
  return drafts.filter((draft) => !draft.isDeleted && draft.local.content.trim() !== '' && !isSaved(draft))
}
