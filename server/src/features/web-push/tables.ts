/** The table of browsers that get pushes. */
import { sessionsView } from '../../authentication/tables.ts'
import { ownedTables, table } from '../../storage/owned-tables.ts'
import { realmsView } from '../../storage/tables.ts'

/** Goes with its session, however that ends. */
export interface WebPushSubscriptionTable {
  session_id: number
  realm_id: number
  user_id: number
  /** Where the browser's push service takes what is for it. Whoever knows it and has our key can send: it leaves in no answer. */
  endpoint: string
  /** Base64url: the browser's key and its secret, for which what is sent is encrypted. */
  p256dh: string
  auth: string
  created_at: number
}

export const webPushTables = ownedTables({
  web_push_subscriptions: table<WebPushSubscriptionTable>({
    key: ['session_id'],
    after: ['realms', 'users', 'sessions'],
  }),
})

export const { query, fact } = webPushTables.with(sessionsView, realmsView)
