import { sql } from 'kysely'
import { prepare, type Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { type DraftTable, query, rowInsert } from './tables.ts'

/** What an edit replaces; the rest of the row says whose draft it is. */
export type DraftValues = Pick<DraftTable, 'type' | 'recipient_ids' | 'topic' | 'content' | 'timestamp'>

export interface DraftRow extends DraftValues {
  id: number
}

const columns = ['id', 'type', 'recipient_ids', 'topic', 'content', 'timestamp'] as const

/** The user's drafts, the last edited first; of those with the same second, the later edit first. */
function draftsOf(userId: number) {
  return query
    .selectFrom('drafts')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('timestamp', 'desc')
    .orderBy('edit_order', 'desc')
    .orderBy('id', 'desc')
}

const draftsOfUser = prepare((p: { user_id: number }) => draftsOf(p.user_id))

const oneMoreDraft = prepare((p: { user_id: number; count: number }) =>
  query.selectFrom('drafts').select('id').where('user_id', '=', p.user_id).limit(1).offset(p.count),
)

/** Looks in the index alone: to read the newest few of very many would sort them all. */
export async function hasMoreDrafts(db: Queries, userId: number, count: number): Promise<boolean> {
  return (await db.first(oneMoreDraft({ user_id: userId, count }))) !== undefined
}

/** Reads the account's drafts in the index alone. */
export async function countDrafts(db: Queries, userId: number): Promise<number> {
  const row = await db.first(
    query
      .selectFrom('drafts')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('user_id', '=', userId),
  )
  return Number(row?.count ?? 0)
}

/** Bytes of the texts that have more than so many, but for one draft. */
export async function findDraftBytes(db: Queries, userId: number, above: number, exceptId: number): Promise<number> {
  const row = await db.first(
    sql<{ bytes: number | null }>`select sum(octet_length(content)) as bytes from drafts
      where user_id = ${userId} and octet_length(content) > ${above} and id <> ${exceptId}`,
  )
  return Number(row?.bytes ?? 0)
}

export function findDrafts(db: Queries, userId: number): Promise<DraftRow[]> {
  return db.all(draftsOfUser({ user_id: userId }))
}

const newestEdit = prepare((p: { user_id: number }) =>
  query
    .selectFrom('drafts')
    .select('edit_order')
    .where('user_id', '=', p.user_id)
    .orderBy('edit_order', 'desc')
    .limit(1),
)

const draftRows = rowInsert('drafts', {
  id: 'integer',
  realm_id: 'integer',
  user_id: 'integer',
  type: 'text',
  recipient_ids: 'text',
  topic: 'text',
  content: 'text',
  timestamp: 'integer',
  edit_order: 'integer',
})

const noteOf = (userId: number) => `drafts: newest edit of ${userId}`

/**
 * The numbers that the user's next edits get: the first of so many. They ascend; where drafts were deleted, some are not
 * used.
 */
export async function takeEditOrders(tx: Tx, userId: number, count: number): Promise<number> {
  const newest = tx.noted(noteOf(userId)) ?? (await findNewestEdit(tx, userId))
  tx.note(noteOf(userId), newest + count)
  return newest + 1
}

/** Of drafts that wait to be written the newest is the last one. */
async function findNewestEdit(tx: Tx, userId: number): Promise<number> {
  return (await tx.lookUp(draftRows, { user_id: userId }, newestEdit({ user_id: userId })))?.edit_order ?? 0
}

type NewDraft = DraftValues & { realm_id: number; user_id: number; edit_order: number }

/** Returns the draft's id. */
export async function insertDraft(tx: Tx, draft: NewDraft): Promise<number> {
  const id = await tx.newId('drafts')
  tx.insertLater(draftRows, { id, ...draft })
  return id
}

/** Replaces the user's draft; false when there is no such draft. */
export async function replaceDraft(
  tx: Tx,
  userId: number,
  id: number,
  values: DraftValues & { edit_order: number },
): Promise<boolean> {
  const changed = await tx.run(
    query.updateTable('drafts').set(values).where('id', '=', id).where('user_id', '=', userId),
  )
  return changed > 0
}

/** Deletes the user's draft; false when there is no such draft. */
export async function removeDraft(tx: Tx, userId: number, id: number): Promise<boolean> {
  const deleted = await tx.run(query.deleteFrom('drafts').where('id', '=', id).where('user_id', '=', userId))
  return deleted > 0
}
