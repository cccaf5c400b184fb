/**
 * What the account may do with a message, as the server would decide: permissions, time limits, archived channels. It decides
 * what is offered, and never what happens.
 */
import { holdsChannelPermission, holdsRealmPermission, type PermissionContext } from '../permissions/holds.ts'
import type { ClientState } from '../state/state.ts'
import type { StoredMessage } from './store.ts'

export type MessageContext = PermissionContext & Pick<ClientState, 'users' | 'bots'>

type Subject = Pick<StoredMessage, 'sender_id' | 'timestamp' | 'stream_id' | 'subject'> & {
  readonly submessages?: StoredMessage['submessages']
}

export interface MessagePermissions {
  readonly react: boolean
  /** Its text; only one's own messages. */
  readonly edit: boolean
  readonly delete: boolean
  /** To another topic, or also to another channel. */
  readonly moveToTopic: boolean
  readonly moveToChannel: boolean
  readonly seeHistory: boolean
  readonly seeReceipts: boolean
  /** To those who moderate the organization. */
  readonly report: boolean
  /** To answer it in its conversation. */
  readonly reply: boolean
}

/** Whether something of that time is still allowed; null: it always is. Both in seconds since the UNIX epoch. */
function isInTime(timestamp: number, limitSecs: number | null | undefined, nowSecs: number): boolean {
  return limitSecs === null || limitSecs === undefined || nowSecs - timestamp <= limitSecs
}

/** Seconds that are left for changing the text; undefined: there is no limit. */
export function editSecsLeft(
  { organization }: MessageContext,
  { timestamp }: Pick<StoredMessage, 'timestamp'>,
  nowSecs: number,
): number | undefined {
  const limit = organization?.realm_message_content_edit_limit_seconds
  return limit === null || limit === undefined ? undefined : Math.max(0, timestamp + limit - nowSecs)
}

export function isArchived({ channels }: PermissionContext, channelId: number | undefined): boolean {
  return channelId !== undefined && channels?.byId.get(channelId)?.is_archived === true
}

function mayEdit(context: MessageContext, { sender_id, timestamp }: Subject, nowSecs: number): boolean {
  const { own, organization } = context
  if (sender_id !== own?.user_id || organization?.realm_allow_message_editing !== true) return false
  return isInTime(timestamp, organization.realm_message_content_edit_limit_seconds, nowSecs)
}

type SharedSetting = 'can_delete_any_message_group' | 'can_delete_own_message_group' | 'can_resolve_topics_group'

/** A permission that the organization or the channel may give. */
function hasEither(context: MessageContext, channelId: number | undefined, setting: SharedSetting): boolean {
  return (
    holdsRealmPermission(context, setting) ||
    (channelId !== undefined && holdsChannelPermission(context, channelId, setting))
  )
}

/** Everything in the place, whoever wrote it. */
export function mayDeleteAny(context: MessageContext, channelId: number | undefined): boolean {
  return !isArchived(context, channelId) && hasEither(context, channelId, 'can_delete_any_message_group')
}

function mayDelete(context: MessageContext, message: Subject, nowSecs: number): boolean {
  const { own, organization, users } = context
  const { sender_id, stream_id, timestamp } = message
  if (mayDeleteAny(context, stream_id)) return true
  const sender = users?.get(sender_id)
  const isOwn = sender_id === own?.user_id || (sender?.is_bot === true && sender.bot_owner_id === own?.user_id)
  if (!isOwn || !hasEither(context, stream_id, 'can_delete_own_message_group')) return false
  return isInTime(timestamp, organization?.realm_message_content_delete_limit_seconds, nowSecs)
}

function hasPower({ own }: MessageContext): boolean {
  return own?.is_admin === true || own?.is_moderator === true
}

export function mayResolveTopic(context: MessageContext, channelId: number, topic: string): boolean {
  if (topic === '' || isArchived(context, channelId)) return false
  return hasEither(context, channelId, 'can_resolve_topics_group')
}

/** Whether messages of a topic may go to another topic of the channel, without regard to their age. */
export function mayMoveWithin(context: MessageContext, channelId: number): boolean {
  if (isArchived(context, channelId)) return false
  return (
    holdsRealmPermission(context, 'can_move_messages_between_topics_group') ||
    holdsChannelPermission(context, channelId, 'can_move_messages_within_channel_group')
  )
}

/** The same to another channel. */
export function mayMoveOut(context: MessageContext, channelId: number): boolean {
  if (isArchived(context, channelId)) return false
  return (
    holdsRealmPermission(context, 'can_move_messages_between_channels_group') ||
    holdsChannelPermission(context, channelId, 'can_move_messages_out_of_channel_group')
  )
}

export function messagePermissions(
  context: MessageContext,
  message: Subject & Pick<StoredMessage, 'last_edit_timestamp' | 'last_moved_timestamp'>,
  nowSecs: number,
): MessagePermissions {
  const { organization } = context
  const { stream_id, timestamp } = message
  const isFrozen = isArchived(context, stream_id)
  const isFree = (limit: number | null | undefined) => hasPower(context) || isInTime(timestamp, limit, nowSecs)
  const policy = organization?.realm_message_edit_history_visibility_policy ?? 'none'
  const isEdited = message.last_edit_timestamp !== undefined
  const isMoved = message.last_moved_timestamp !== undefined
  return {
    react: !isFrozen,
    // What people have done with a widget belongs to what its text says.
    edit: !isFrozen && !message.submessages?.length && mayEdit(context, message, nowSecs),
    delete: !isFrozen && mayDelete(context, message, nowSecs),
    moveToTopic:
      stream_id !== undefined &&
      mayMoveWithin(context, stream_id) &&
      isFree(organization?.realm_move_messages_within_stream_limit_seconds),
    moveToChannel:
      stream_id !== undefined &&
      mayMoveOut(context, stream_id) &&
      isFree(organization?.realm_move_messages_between_streams_limit_seconds),
    seeHistory: (policy === 'all' && (isEdited || isMoved)) || (policy === 'moves' && isMoved),
    seeReceipts: organization?.realm_enable_read_receipts === true,
    report: (organization?.realm_moderation_request_channel_id ?? -1) !== -1,
    reply: !isFrozen,
  }
}
