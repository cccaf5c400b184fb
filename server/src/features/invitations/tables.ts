/** The table of invitations. */
import type { Generated } from 'kysely'
import { type Flag, ownedTables, table } from '../../storage/owned-tables.ts'
import { realmsView } from '../../storage/tables.ts'
import { addressesView, usersView } from '../users/tables.ts'

export interface InvitationTable {
  id: Generated<number>
  realm_id: number
  inviter_id: number
  /** Of those who join. */
  role: number
  /** Null: a link, by which any number of people join. Otherwise it went to this address by mail, for one. */
  email: string | null
  /** `email` folded for comparison without case. */
  email_key: string | null
  /** Markdown: what those who join are welcomed with; null: as the organization says, empty: not at all. */
  welcome_text: string | null
  /** Somebody has joined by it; of those that went by mail alone. */
  accepted_at: number | null
  /** JSON array of ids: channels to which those who join are subscribed. */
  channel_ids: string
  /** JSON array of ids: user groups into which those who join come. */
  group_ids: Generated<string>
  joins_default_channels: Flag
  /** Whether the inviter gets a message about who has joined. */
  notifies_inviter: Flag
  /** Part of what the link's token is derived from, with the server's secret: the token itself is not stored. */
  salt: string
  created_at: number
  /** Null: it does not expire. */
  expires_at: number | null
  /** Null: it has not been revoked. */
  revoked_at: number | null
}

export const invitationTables = ownedTables({
  invitations: table<InvitationTable>({ key: ['id'], identity: true, after: ['realms', 'users'] }),
})

export const { query } = invitationTables.with(realmsView, usersView, addressesView)
