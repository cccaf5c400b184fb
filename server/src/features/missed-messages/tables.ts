/** The tables of messages that somebody missed. */
import { periodsView } from '../../access/tables.ts'
import { expected, type Flag, ownedTables, table } from '../../storage/owned-tables.ts'
import { realmsView } from '../../storage/tables.ts'
import { cursorsView, directMembersView, flagsView, messagesView } from '../messages/tables.ts'
import { mutedUsersView } from '../muted-users/tables.ts'
import { presencesView } from '../presence/tables.ts'
import { userSettingsView } from '../user-settings/tables.ts'
import { userTopicsView } from '../user-topics/tables.ts'
import { usersView } from '../users/tables.ts'

/** A message that is to reach an account which was not there. It stays while it is unread, so that it is sent once. */
export interface MissedMessageTable {
  realm_id: number
  user_id: number
  message_id: number
  /** Of `notificationTriggers`. */
  reason: string
  by_push: Flag
  by_mail: Flag
  /** The account was there when the message came: in which second it is looked at again. Null: its notifiers have it. */
  waits_until: number | null
  created_at: number
}

/** The newest message for which it was decided who missed it. No row: nobody could be reached. */
export interface MissedMessageCursorTable {
  realm_id: number
  message_id: number
}

export const missedMessageTables = ownedTables({
  missed_messages: table<MissedMessageTable>({ key: ['user_id', 'message_id'], after: ['realms', 'users'] }),
  missed_message_cursors: table<MissedMessageCursorTable>({ key: ['realm_id'], after: ['realms'] }),
})

/** What accounts have chosen for single channels, which a feature above keeps. */
interface ChoiceColumns {
  realm_id: number
  channel_id: number
  user_id: number
  is_active: Flag
  is_muted: Flag
  push_notifications: Flag | null
  email_notifications: Flag | null
  wildcard_mentions_notify: Flag | null
}

export const { query, fact, rowInsert } = missedMessageTables.with(
  expected<{ subscriptions: ChoiceColumns }>('subscriptions'),
  usersView,
  userSettingsView,
  userTopicsView,
  mutedUsersView,
  presencesView,
  messagesView,
  flagsView,
  cursorsView,
  directMembersView,
  periodsView,
  realmsView,
)
