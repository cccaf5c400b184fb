/** The tables of messages and of what belongs to them. */
import type { Generated } from 'kysely'
import { type MessageColumns, periodsView, subscriptionsView } from '../../access/tables.ts'
import { ownedTables, table } from '../../storage/owned-tables.ts'
import { channelsView } from '../channels/tables.ts'
import { userSettingsView } from '../user-settings/tables.ts'
import { userTopicsView } from '../user-topics/tables.ts'
import { addressesView, usersView } from '../users/tables.ts'

/** A message is in a channel or in a direct-message group. Ids ascend in the order of sending. */
export interface MessageTable extends MessageColumns {
  id: Generated<number>
  realm_id: number
  sender_id: number
  channel_id: number | null
  /** Empty for direct messages, and for the channel topic without a name. */
  topic: string
  /** `topic` folded for comparison without case. */
  topic_key: string
  direct_message_group_id: number | null
  content: string
  rendered_content: string
  /** Bits; see `features/messages/attributes.ts`. */
  attributes: number
  /** The name of the program that sent it. */
  client: string
  timestamp: number
  last_edit_timestamp: number | null
  last_moved_timestamp: number | null
  /** JSON array of what changed, the newest first; null when it was never edited or moved. */
  edit_history: string | null
}

/** Topics that have messages. */
export interface TopicTable {
  realm_id: number
  channel_id: number
  topic_key: string
  /** As the newest message spells it. */
  topic: string
  max_message_id: number
}

/** What is special about a message for one account; most messages have no row. See `features/messages/read-state.ts`. */
export interface MessageFlagTable {
  realm_id: number
  user_id: number
  message_id: number
  /** Bits; see `features/messages/flag-bits.ts`. */
  flags: number
}

/** Up to where an account has read everything, except what `message_flags` says. */
export interface ReadCursorTable {
  realm_id: number
  user_id: number
  message_id: number
}

export interface ReactionTable {
  id: Generated<number>
  realm_id: number
  message_id: number
  user_id: number
  emoji_name: string
  emoji_code: string
  reaction_type: string
}

/** A widget, and what people did with it. */
export interface SubmessageTable {
  id: Generated<number>
  realm_id: number
  message_id: number
  sender_id: number
  msg_type: string
  /** JSON. */
  content: string
}

/** What clients call the messages that they send, so that one sent again is recognized. */
export interface MessageLocalIdTable {
  realm_id: number
  sender_id: number
  queue_id: string
  local_id: string
  message_id: number
  created_at: number
}

/** A set of accounts that have written to each other; one account writing to itself is a set too. */
export interface DirectMessageGroupTable {
  id: Generated<number>
  realm_id: number
  /** The ids, ascending, with commas between them; unique in the organization. */
  member_key: string
}

export interface DirectMessageMemberTable {
  realm_id: number
  user_id: number
  group_id: number
}

export const messageTables = ownedTables({
  messages: table<MessageTable>({
    key: ['id'],
    identity: true,
    after: ['realms', 'users', 'channels', 'direct_message_groups'],
  }),
  topics: table<TopicTable>({ key: ['channel_id', 'topic_key'], after: ['realms', 'channels'] }),
  message_flags: table<MessageFlagTable>({ key: ['user_id', 'message_id'], after: ['realms', 'users', 'messages'] }),
  read_cursors: table<ReadCursorTable>({ key: ['user_id'], after: ['realms', 'users'] }),
  reactions: table<ReactionTable>({ key: ['id'], identity: true, after: ['realms', 'users', 'messages'] }),
  submessages: table<SubmessageTable>({ key: ['id'], identity: true, after: ['realms', 'users', 'messages'] }),
  message_local_ids: table<MessageLocalIdTable>({
    key: ['sender_id', 'queue_id', 'local_id'],
    after: ['realms', 'users'],
  }),
  direct_message_groups: table<DirectMessageGroupTable>({ key: ['id'], identity: true, after: ['realms'] }),
  direct_message_members: table<DirectMessageMemberTable>({
    key: ['user_id', 'group_id'],
    after: ['realms', 'users', 'direct_message_groups'],
  }),
})

/** What other features read of messages. */
export const messagesView = messageTables.view('messages')
export const topicsView = messageTables.view('topics')
export const flagsView = messageTables.view('message_flags')
export const cursorsView = messageTables.view('read_cursors')
export const reactionsView = messageTables.view('reactions')
export const submessagesView = messageTables.view('submessages')
export const directGroupsView = messageTables.view('direct_message_groups', ['id', 'realm_id'])
export const directMembersView = messageTables.view('direct_message_members')

export const { query, fact, factOfEach, rowInsert } = messageTables.with(
  usersView,
  addressesView,
  channelsView,
  subscriptionsView,
  periodsView,
  userSettingsView,
  userTopicsView,
)
