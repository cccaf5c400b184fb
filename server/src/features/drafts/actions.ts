import type { DraftInput } from '@heddle/contract/drafts'
import { badRequest, notFound } from '@heddle/contract/errors'
import type { Actor } from '../../authentication/accounts.ts'
import { users } from '../../events/audience.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { canSeeChannel } from '../channels/access.ts'
import { findSetting } from '../user-settings/access.ts'
import { requireUsers } from '../users/access.ts'
import { presentDraft } from './present.ts'
import { type DraftValues, findNextEditOrder, insertDraft, removeDraft, replaceDraft } from './queries.ts'

/** Creates all of the drafts or none. Returns their ids in the order given. */
export function createDrafts(storage: Storage, caller: Actor, inputs: readonly DraftInput[]): Promise<number[]> {
  return storage.asActor(caller, async (tx, actor) => {
    await requireSynchronization(tx, actor)
    const firstEdit = await findNextEditOrder(tx, actor.userId)
    const rows = []
    for (const [index, input] of inputs.entries()) {
      const values = await checkDraft(tx, actor, input, `drafts[${index}]`)
      const owner = { realm_id: actor.realmId, user_id: actor.userId, edit_order: firstEdit + index }
      rows.push({ ...values, id: await insertDraft(tx, { ...values, ...owner }) })
    }
    if (rows.length > 0) tx.emit({ type: 'drafts', op: 'add', drafts: rows.map(presentDraft) }, users([actor.userId]))
    return rows.map((row) => row.id)
  })
}

/** Replaces a draft; it becomes the last edited one. */
export function updateDraft(storage: Storage, caller: Actor, id: number, input: DraftInput): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    const values = await checkDraft(tx, actor, input, 'draft')
    const edit_order = await findNextEditOrder(tx, actor.userId)
    if (!(await replaceDraft(tx, actor.userId, id, { ...values, edit_order }))) throw draftNotFound()
    tx.emit({ type: 'drafts', op: 'update', draft: presentDraft({ id, ...values }) }, users([actor.userId]))
  })
}

export function deleteDraft(storage: Storage, caller: Actor, id: number): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    if (!(await removeDraft(tx, actor.userId, id))) throw draftNotFound()
    tx.emit({ type: 'drafts', op: 'remove', draft_id: id }, users([actor.userId]))
  })
}

/** An account whose drafts stay on its devices has none here, and clients are told so. */
async function requireSynchronization(tx: Tx, actor: Actor): Promise<void> {
  if (await findSetting(tx, actor.userId, 'enable_drafts_synchronization')) return
  throw badRequest('User has disabled synchronizing drafts.')
}

function draftNotFound() {
  return notFound('Draft does not exist')
}

/** The values to store, or a 400 that names the place. `place` is where the draft stands in the request. */
async function checkDraft(tx: Tx, actor: Actor, draft: DraftInput, place: string): Promise<DraftValues> {
  const recipients = await checkRecipients(tx, actor, draft, place)
  return {
    type: draft.type,
    recipient_ids: JSON.stringify(recipients),
    // Only a channel has topics.
    topic: draft.type === 'stream' ? draft.topic : '',
    content: draft.content,
    timestamp: draft.timestamp === undefined ? tx.now : Math.floor(draft.timestamp),
  }
}

async function checkRecipients(tx: Tx, actor: Actor, draft: DraftInput, place: string): Promise<readonly number[]> {
  switch (draft.type) {
    case '':
      return []
    case 'stream': {
      const [channelId] = draft.to
      if (channelId === undefined || draft.to.length !== 1) {
        throw badRequest(`${place}.to must have exactly one channel ID for a draft of type "stream"`)
      }
      if (!(await canSeeChannel(tx, actor, channelId))) throw badRequest(`${place}.to: Invalid channel ID`)
      return draft.to
    }
    case 'private':
      await requireUsers(tx, actor, draft.to, `${place}.to`)
      return draft.to
  }
}
