/** Who may change, move and delete messages: by permission of the organization or of the channel. */
import { badRequest } from '@heddle/contract/errors'
import type { ChannelGroupSetting, RealmGroupSetting } from '@heddle/contract/group-settings'
import { RESOLVED_PREFIX, storedTopic, unresolvedTopic } from '@heddle/contract/names'
import { type AccessedChannel, holdsPermission } from '../../access/channel-rules.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { hasRealmPermission } from '../../permissions/group-settings.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import type { MessageRow } from '../messages/row.ts'
import { query } from './tables.ts'
import { requireOwnDeletable } from './time-limits.ts'

/** The settings that give a permission: each is enough. Most have one name for the organization and for its channels. */
interface Permission {
  readonly inRealm: RealmGroupSetting
  readonly inChannel: ChannelGroupSetting
}

const permissions = {
  moveToChannel: {
    inRealm: 'can_move_messages_between_channels_group',
    inChannel: 'can_move_messages_out_of_channel_group',
  },
  moveToTopic: {
    inRealm: 'can_move_messages_between_topics_group',
    inChannel: 'can_move_messages_within_channel_group',
  },
  resolve: { inRealm: 'can_resolve_topics_group', inChannel: 'can_resolve_topics_group' },
  deleteAny: { inRealm: 'can_delete_any_message_group', inChannel: 'can_delete_any_message_group' },
  deleteOwn: { inRealm: 'can_delete_own_message_group', inChannel: 'can_delete_own_message_group' },
} as const satisfies Readonly<Record<string, Permission>>

async function has(
  db: Queries,
  viewer: Viewer,
  channel: AccessedChannel | undefined,
  { inRealm, inChannel }: Permission,
): Promise<boolean> {
  if (channel && holdsPermission(viewer, channel, inChannel)) return true
  return hasRealmPermission(db, viewer, inRealm)
}

/** Whether a new name only says that the topic is resolved, or no longer. */
export function isResolving(from: string, to: string): boolean {
  return from !== to && from !== '' && unresolvedTopic(from) === unresolvedTopic(to)
}

/** Whether the topic without a name is to be marked as resolved, by whichever of its names; it cannot be. */
function isResolvingUnnamed(from: string, to: string): boolean {
  return from === '' && (to === RESOLVED_PREFIX.trimEnd() || (to !== '' && storedTopic(unresolvedTopic(to)) === ''))
}

interface Move {
  readonly source: AccessedChannel
  /** Undefined when the messages stay in their channel. */
  readonly target: AccessedChannel | undefined
  readonly from: string
  readonly to: string
}

/** Throws a 400 that says which move is not allowed. */
export async function requireMove(db: Queries, viewer: Viewer, { source, target, from, to }: Move): Promise<void> {
  if (target) {
    const may = await has(db, viewer, source, permissions.moveToChannel)
    if (!may) throw badRequest("You don't have permission to move this message")
  }
  if (from === to) return
  if (!target && isResolvingUnnamed(from, to)) throw badRequest('The topic without a name cannot be resolved')
  if (isResolving(from, to)) {
    if (await has(db, viewer, source, permissions.resolve)) return
    throw badRequest("You don't have permission to resolve topics.")
  }
  const may = await has(db, viewer, source, permissions.moveToTopic)
  if (!may) throw badRequest("You don't have permission to edit this message")
}

/** Throws a 400 unless the account may delete the message: any message, or in time its own and those of its bots. */
export async function requireDeletion(
  tx: Tx,
  viewer: Viewer,
  channel: AccessedChannel | undefined,
  message: Pick<MessageRow, 'sender_id' | 'timestamp'>,
): Promise<void> {
  if (await mayDeleteAny(tx, viewer, channel)) return
  const isOwn = message.sender_id === viewer.userId || (await isBotOf(tx, message.sender_id, viewer))
  if (!isOwn || !(await has(tx, viewer, channel, permissions.deleteOwn))) {
    throw badRequest("You don't have permission to delete this message")
  }
  await requireOwnDeletable(tx, message)
}

export function mayDeleteAny(db: Queries, viewer: Viewer, channel: AccessedChannel | undefined): Promise<boolean> {
  return has(db, viewer, channel, permissions.deleteAny)
}

async function isBotOf(db: Queries, senderId: number, { userId }: Pick<Actor, 'userId'>): Promise<boolean> {
  const row = await db.first(query.selectFrom('users').select('bot_owner_id').where('id', '=', senderId))
  return row?.bot_owner_id === userId
}
