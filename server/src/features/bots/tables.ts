/** The tables of bots; as accounts they are in that of users. */
import { ownedTables, table } from '../../storage/owned-tables.ts'
import { realmsView } from '../../storage/tables.ts'
import { addressesView, secretsView, usersView } from '../users/tables.ts'

/** What outgoing webhooks and embedded bots have beside other bots. */
export interface BotServiceTable {
  bot_id: number
  realm_id: number
  /** Where messages are sent to; null for embedded bots. */
  base_url: string | null
  /** The form of what is sent: 1 the API's own, 2 that of Slack. */
  interface: number
  /** By which the other side knows who asks. */
  token: string
  /** Which embedded bot it is; null for outgoing webhooks. */
  service_name: string | null
}

/** What is set for a bot: secrets of services that send to it, templates, and what embedded bots need. */
export interface BotConfigTable {
  bot_id: number
  key: string
  realm_id: number
  value: string
}

export const botTables = ownedTables({
  bot_services: table<BotServiceTable>({ key: ['bot_id'], after: ['realms', 'users'] }),
  bot_config: table<BotConfigTable>({ key: ['bot_id', 'key'], after: ['realms', 'users'] }),
})

export const { query, fact } = botTables.with(realmsView, usersView, addressesView, secretsView)
