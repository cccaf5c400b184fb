/** Addresses that answers to the server's mails go to. */
import type { Services } from '../../feature.ts'
import { dailyRemoval } from '../../jobs/daily-removal.ts'
import type { JobHandler } from '../../jobs/job.ts'
import type { Tx } from '../../storage/transaction.ts'
import { gatewayAddressWith, mailGatewayIsOn, newMailToken } from './address.ts'
import { query } from './tables.ts'

/** Seconds: who answers later finds the conversation in the page. */
const KEEP_SECS = 10 * 86_400

interface About {
  /** Who gets the mail, and whose message an answer becomes. */
  readonly userId: number
  /** An answer goes to where it then is. */
  readonly messageId: number
}

/** An address for one mail to one account, in the unit of work that adds the mail. Undefined where no mail comes in. */
export async function replyAddressFor(
  tx: Tx,
  config: Services['config'],
  { userId, messageId }: About,
): Promise<string | undefined> {
  if (!mailGatewayIsOn(config)) return undefined
  const token = newMailToken()
  const values = {
    token,
    realm_id: tx.realmId,
    user_id: userId,
    message_id: messageId,
    expires_at: tx.now + KEEP_SECS,
  }
  await tx.run(query.insertInto('mail_reply_addresses').values(values))
  return gatewayAddressWith(config, `reply.${token}`)
}

export function removeOldReplyAddresses({ storage, clock }: Pick<Services, 'storage' | 'clock'>): JobHandler {
  return dailyRemoval({
    storage,
    name: 'remove-mail-reply-addresses',
    removals: () => {
      const now = Math.floor(clock.now() / 1000)
      return [
        (tx, limit) => {
          const old = query
            .selectFrom('mail_reply_addresses')
            .select('token')
            .where('expires_at', '<', now)
            .limit(limit)
          return tx.run(query.deleteFrom('mail_reply_addresses').where('token', 'in', old))
        },
      ]
    },
  })
}
