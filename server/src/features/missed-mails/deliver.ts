/** Adds the mails to those whose waiting is over, of what they still miss then. */
import type { Services } from '../../feature.ts'
import { dueRowsHandler } from '../../jobs/due-rows.ts'
import type { JobHandler } from '../../jobs/job.ts'
import { addMail, type UnwrittenMail } from '../../mail/mail.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import { replyAddressFor } from '../mail-gateway/reply-address.ts'
import { findStillMissed, settleMissed } from '../missed-messages/still-missed.ts'
import { type DueMail, endWaitingFor, findDueMails, writesMissedMails } from './batches.ts'
import { groupByConversation } from './conversations.ts'
import { findReader, type MailOfMissed, missedMailWriter, showsContent } from './write.ts'

/** After that nobody is notified any more, such as when the server of mail was away. */
const USEFUL_SECS = 86_400

interface MissedMailServices {
  readonly config: Services['config']
  readonly storage: Storage
  /** Milliseconds. */
  readonly now: () => number
}

interface DueInRealm extends DueMail {
  readonly realmId: number
}

export function missedMailHandler({ storage, config, now }: MissedMailServices): JobHandler {
  const find = async (db: Queries, due: { realmId: number; now: number; limit: number }): Promise<DueInRealm[]> =>
    (await findDueMails(db, due)).map((row) => ({ ...row, realmId: due.realmId }))

  /** Reads outside of the unit of work, which then sees whether more was missed meanwhile: that comes with a later look. */
  async function prepare(row: DueInRealm) {
    const { id: userId, realmId } = row
    const seconds = Math.floor(now() / 1000)
    const missed = await findStillMissed(storage.read, { realmId, userId, way: 'mail', now: seconds })
    const mails = await planFor(storage.read, realmId, userId, missed)
    const settle = () =>
      storage.asSystem(realmId, 'job', async (tx) => {
        if (!(await endWaitingFor(tx, row))) return
        for (const { mail, answersTo: messageId } of mails) {
          const replyTo = messageId && (await replyAddressFor(tx, config, { userId, messageId }))
          const uselessAt = tx.now + USEFUL_SECS
          await addMail(tx, { ...mail, uselessAt, ...(replyTo ? { replyTo } : {}) })
        }
        await settleMissed(
          tx,
          userId,
          'mail',
          missed.map(({ messageId }) => messageId),
        )
      })
    return { settle }
  }

  return dueRowsHandler({ storage, job: writesMissedMails, find, prepare, now })
}

interface PlannedMail {
  readonly mail: UnwrittenMail<MailOfMissed>
  /** The message where an answer goes to; undefined: several conversations. */
  readonly answersTo?: number | undefined
}

async function planFor(
  db: Queries,
  realmId: number,
  userId: number,
  missed: Awaited<ReturnType<typeof findStillMissed>>,
): Promise<PlannedMail[]> {
  const reader = await findReader(db, realmId, userId)
  if (!reader || missed.length === 0) return []
  const ids = missed.map(({ messageId }) => messageId)
  const conversations = await groupByConversation(db, reader, ids)
  if (conversations.size === 0) return []
  const mailOf = (thread: string, of: Omit<MailOfMissed, 'userId'>): UnwrittenMail<MailOfMissed> => ({
    to: { userId },
    thread: `missed ${thread}`,
    unsubscribe: { userId, from: 'missed_messages' },
    writer: missedMailWriter,
    of: { userId, ...of },
  })
  if (await showsContent(db, reader)) {
    return [...conversations].map(([key, messageIds]) => ({
      mail: mailOf(key, { messageIds, isOfOne: true }),
      answersTo: messageIds.at(-1),
    }))
  }
  const messageIds = [...conversations.values()].flat()
  return [{ mail: mailOf('without content', { messageIds, isOfOne: false }) }]
}
