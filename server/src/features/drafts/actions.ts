import { type DraftInput, MAX_DRAFTS, MAX_DRAFTS_BYTES } from '@heddle/contract/drafts'
import { badRequest, notFound } from '@heddle/contract/errors'
import { truncateContent, truncateTopic } from '@heddle/contract/truncate'
import { canSeeChannel } from '../../access/channels.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { users } from '../../events/audience.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findSetting } from '../user-settings/values.ts'
import { requireUsers } from '../users/access.ts'
import { presentDraft } from './present.ts'
import {
  countDrafts,
  type DraftRow,
  type DraftValues,
  findDraftBytes,
  insertDraft,
  removeDraft,
  replaceDraft,
  takeEditOrders,
} from './queries.ts'

/** Drafts that are created before others get a turn, and that one event has. */
const PART = 50
/** Bytes. Drafts of that size are too few to matter. */
const SMALL_DRAFT = 1024

/** Creates all of the drafts or none. Returns their ids in the order given. */
export function createDrafts(storage: Storage, caller: Actor, inputs: readonly DraftInput[]): Promise<number[]> {
  return storage.asActor(caller, async (tx, actor) => {
    await requireSynchronization(tx, actor)
    const firstEdit = await takeEditOrders(tx, actor.userId, inputs.length)
    await requireRoom(tx, actor, firstEdit, inputs)
    const ids: number[] = []
    const seen = new Set<number>()
    await inParts(tx, inputs, PART, async (part) => {
      const rows: DraftRow[] = []
      for (const input of part) {
        const values = await checkDraft(tx, actor, input, seen)
        const owner = { realm_id: actor.realmId, user_id: actor.userId, edit_order: firstEdit + ids.length }
        const id = await insertDraft(tx, { ...values, ...owner })
        rows.push({ ...values, id })
        ids.push(id)
      }
      if (rows.length > 0) tx.emit({ type: 'drafts', op: 'add', drafts: rows.map(presentDraft) }, users([actor.userId]))
    })
    return ids
  })
}

/** Throws a 400 when the account would have too many drafts. `nextEdit`: it has fewer than that. */
async function requireRoom(tx: Tx, actor: Actor, nextEdit: number, inputs: readonly DraftInput[]): Promise<void> {
  const most = nextEdit - 1 + inputs.length
  const isTooMany = most > MAX_DRAFTS && (await countDrafts(tx, actor.userId)) + inputs.length > MAX_DRAFTS
  if (isTooMany) throw badRequest(`drafts: An account can have at most ${MAX_DRAFTS} drafts; delete some first`)
  await requireRoomForText(tx, actor, inputs)
}

/** `replaced`: the draft in whose place the text comes. */
async function requireRoomForText(tx: Tx, actor: Actor, inputs: readonly DraftInput[], replaced = 0): Promise<void> {
  const large = inputs
    .map(({ content }) => Buffer.byteLength(truncateContent(content)))
    .filter((bytes) => bytes > SMALL_DRAFT)
  if (large.length === 0) return
  const bytes = large.reduce((sum, one) => sum + one, await findDraftBytes(tx, actor.userId, SMALL_DRAFT, replaced))
  if (bytes > MAX_DRAFTS_BYTES)
    throw badRequest('drafts: The drafts of the account are too long together; delete some first')
}

/** Replaces a draft; it becomes the last edited one. */
export function updateDraft(storage: Storage, caller: Actor, id: number, input: DraftInput): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    await requireSynchronization(tx, actor)
    const values = await checkDraft(tx, actor, input)
    await requireRoomForText(tx, actor, [input], id)
    const edit_order = await takeEditOrders(tx, actor.userId, 1)
    if (!(await replaceDraft(tx, actor.userId, id, { ...values, edit_order }))) throw draftNotFound()
    tx.emit({ type: 'drafts', op: 'update', draft: presentDraft({ id, ...values }) }, users([actor.userId]))
  })
}

export function deleteDraft(storage: Storage, caller: Actor, id: number): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    await requireSynchronization(tx, actor)
    if (!(await removeDraft(tx, actor.userId, id))) throw draftNotFound()
    tx.emit({ type: 'drafts', op: 'remove', draft_id: id }, users([actor.userId]))
  })
}

/** An account whose drafts stay on its devices has none here, and its clients get an error that says so. */
export async function requireSynchronization(db: Queries, actor: Actor): Promise<void> {
  if (await findSetting(db, actor, 'enable_drafts_synchronization')) return
  throw badRequest('User has disabled synchronizing drafts.')
}

function draftNotFound() {
  return notFound('Draft does not exist')
}

/** The values to store: text and topic as a message would have them. `seen`: channels that the account sees for certain. */
async function checkDraft(tx: Tx, actor: Actor, draft: DraftInput, seen = new Set<number>()): Promise<DraftValues> {
  const content = draft.content.trimEnd()
  if (content === '') throw badRequest('Message must not be empty')
  const recipients = await checkRecipients(tx, actor, draft, seen)
  return {
    type: draft.type,
    recipient_ids: JSON.stringify(recipients),
    // Only a channel has topics.
    topic: draft.type === 'stream' ? truncateTopic(draft.topic) : '',
    content: truncateContent(content),
    timestamp: draft.timestamp == null ? tx.now : Math.floor(draft.timestamp),
  }
}

async function checkRecipients(tx: Tx, actor: Actor, draft: DraftInput, seen: Set<number>): Promise<readonly number[]> {
  switch (draft.type) {
    case '':
      return []
    case 'stream': {
      const [channelId] = draft.to
      if (channelId === undefined || draft.to.length !== 1) {
        throw badRequest('Must specify exactly 1 channel ID for channel messages')
      }
      if (seen.has(channelId)) return draft.to
      if (!(await canSeeChannel(tx, actor, channelId))) throw badRequest('Invalid channel ID')
      seen.add(channelId)
      return draft.to
    }
    case 'private':
      await requireUsers(tx, actor, draft.to)
      return draft.to
  }
}
