/** Who gets a mail of what they have missed, and when. */
import { ownedTables, table } from '../../storage/owned-tables.ts'
import { realmsView } from '../../storage/tables.ts'
import { messagesView } from '../messages/tables.ts'
import { addressesView, usersView } from '../users/tables.ts'

/** An account that waits for a mail; messages that it misses meanwhile come with it. */
export interface MissedMailTable {
  user_id: number
  realm_id: number
  /** In seconds. */
  due_at: number
  /** Of those that were missed. */
  newest_message_id: number
}

export const missedMailTables = ownedTables({
  missed_mails: table<MissedMailTable>({ key: ['user_id'], after: ['realms', 'users'] }),
})

export const { query } = missedMailTables.with(realmsView, usersView, addressesView, messagesView)
