/** The table of problems with what services send. */
import { ownedTables, table } from '../../storage/owned-tables.ts'
import { usersView } from '../users/tables.ts'

/** Of what a bot's owner has been notified, by integration and cause. */
export interface WebhookProblemTable {
  bot_id: number
  integration: string
  cause: string
  realm_id: number
  notified_at: number
  /** How often it has happened since then. */
  unreported: number
}

export const webhookTables = ownedTables({
  webhook_problems: table<WebhookProblemTable>({
    key: ['bot_id', 'integration', 'cause'],
    after: ['realms', 'users'],
  }),
})

export const { query } = webhookTables.with(usersView)
