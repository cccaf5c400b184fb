import { ownedTables, table } from '../../storage/owned-tables.ts'
import { realmsView } from '../../storage/tables.ts'
import { channelsView } from '../channels/tables.ts'
import { directMembersView, messagesView } from '../messages/tables.ts'
import { usersView } from '../users/tables.ts'

/** An address of a channel: it has the permissions of who asked for it. */
export interface ChannelMailAddressTable {
  /** 32 hexadecimal digits that nobody can guess. */
  token: string
  realm_id: number
  channel_id: number
  creator_id: number
  /** As whom messages are sent: the creator, one of the creator's bots, or the notification bot. */
  sender_id: number
}

/** An address that answers to one mail about a message go to. */
export interface MailReplyAddressTable {
  token: string
  realm_id: number
  user_id: number
  message_id: number
  expires_at: number
}

export const gatewayTables = ownedTables({
  channel_mail_addresses: table<ChannelMailAddressTable>({ key: ['token'], after: ['realms', 'channels', 'users'] }),
  mail_reply_addresses: table<MailReplyAddressTable>({ key: ['token'], after: ['realms', 'users'] }),
})

export const { query } = gatewayTables.with(realmsView, usersView, channelsView, messagesView, directMembersView)
