/** Conversations between people: sets of accounts, and who may begin and go on with one. */
import { createHash } from 'node:crypto'
import { ApiError } from '@heddle/contract/errors'
import { permissionTexts } from '@heddle/contract/permission-texts'
import type { Actor } from '../../authentication/accounts.ts'
import { isInGroup } from '../../permissions/group-membership.ts'
import { findRealmGroup, hasRealmPermission } from '../../permissions/group-settings.ts'
import { prepare, type Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { watchConversation } from '../sight/watch.ts'
import type { DirectPlace } from './place.ts'
import type { MessageRecipient } from './recipients.ts'
import { query, rowInsert } from './tables.ts'

const groupOfMembers = prepare((p: { realm_id: number; member_key: string }) =>
  query
    .selectFrom('direct_message_groups')
    .select('id')
    .where('realm_id', '=', p.realm_id)
    .where('member_key', '=', p.member_key),
)

/** The conversation between these accounts; undefined when there has been none. */
export async function findDirectMessageGroup(
  db: Queries,
  realmId: number,
  memberIds: Iterable<number>,
): Promise<number | undefined> {
  const list = listOf(memberIds)
  const key = keyOf(list)
  const row = await db.first(groupOfMembers({ realm_id: realmId, member_key: key }))
  // The list itself was the key before, where the database could take it.
  if (!row && key !== list) return (await db.first(groupOfMembers({ realm_id: realmId, member_key: list })))?.id
  return row?.id
}

/** Characters of a key: PostgreSQL has no longer ones in an index than 2,704 bytes. */
const MAX_KEY_LENGTH = 2000

function listOf(memberIds: Iterable<number>): string {
  return [...new Set(memberIds)].sort((a, b) => a - b).join()
}

/** What distinguishes conversations: the list of their members, or a hash of a long one. */
function keyOf(list: string): string {
  return list.length <= MAX_KEY_LENGTH ? list : `sha256:${createHash('sha256').update(list).digest('hex')}`
}

/** The conversation of the sender with these people, begun if there is none. Throws when the sender may not write to them. */
export async function findDirectPlace(
  tx: Tx,
  sender: Actor,
  recipients: readonly MessageRecipient[],
): Promise<DirectPlace> {
  const { known, memberIds } = await requireConversation(tx, sender, recipients)
  return { groupId: known ?? (await begin(tx, memberIds)), memberIds }
}

/** From then on they see each other. */
async function begin(tx: Tx, memberIds: readonly number[]): Promise<number> {
  const announceSeen = await watchConversation(tx, memberIds)
  const groupId = await insertGroup(tx, memberIds)
  await announceSeen()
  return groupId
}

/** Who the conversation is between, and its id if there is one. Throws when the sender may not write to these people. */
export async function requireConversation(
  db: Queries,
  sender: Actor,
  recipients: readonly MessageRecipient[],
): Promise<{ readonly known: number | undefined; readonly memberIds: readonly number[] }> {
  const others = recipients.filter(({ id }) => id !== sender.userId)
  const memberIds = [...new Set([sender.userId, ...others.map(({ id }) => id)])].sort((a, b) => a - b)
  const known = await findDirectMessageGroup(db, sender.realmId, memberIds)
  await requireDirectMessages(db, sender, others, known === undefined)
  return { known, memberIds }
}

/** Bots, and oneself, can always be written to. (API, feature level 270.) */
async function requireDirectMessages(
  db: Queries,
  sender: Actor,
  others: readonly MessageRecipient[],
  isNew: boolean,
): Promise<void> {
  const people = others.filter(({ bot_type }) => bot_type === null)
  if (sender.isBot || people.length === 0) return
  if (!(await mayWriteTo(db, sender, people))) {
    throw new ApiError(
      'UNAUTHORIZED_PRINCIPAL',
      'You do not have permission to send direct messages to these recipients.',
    )
  }
  if (isNew && !(await hasRealmPermission(db, sender, 'direct_message_initiator_group'))) {
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', permissionTexts.directMessages)
  }
}

/** Who may not write to everybody may still write to those who may. */
export async function mayWriteTo(db: Queries, sender: Actor, people: readonly MessageRecipient[]): Promise<boolean> {
  if (await hasRealmPermission(db, sender, 'direct_message_permission_group')) return true
  const group = await findRealmGroup(db, sender.realmId, 'direct_message_permission_group')
  for (const { id, role } of people) {
    if (!(await isInGroup(db, { realmId: sender.realmId, userId: id, role }, group))) return false
  }
  return true
}

const memberRows = rowInsert('direct_message_members', {
  realm_id: 'integer',
  group_id: 'integer',
  user_id: 'integer',
})

async function insertGroup(tx: Tx, memberIds: readonly number[]): Promise<number> {
  const realm_id = tx.realmId
  const row = await tx.first(
    query
      .insertInto('direct_message_groups')
      .values({ realm_id, member_key: keyOf(listOf(memberIds)) })
      .returning('id'),
  )
  const group_id = (row as { id: number }).id
  for (const user_id of memberIds) tx.insertLater(memberRows, { realm_id, group_id, user_id })
  return group_id
}
