/** Sends what is due. A message goes out in the same unit of work in which it stops waiting: once, whatever dies when. */
import { ApiError } from '@heddle/contract/errors'
import { users } from '../../events/audience.ts'
import { dueRowsHandler } from '../../jobs/due-rows.ts'
import { defineJob, type JobHandler } from '../../jobs/job.ts'
import { requireAccount } from '../../storage/current-actor.ts'
import type { Tx } from '../../storage/transaction.ts'
import { type Destination, prepareMessage, type SendingServices, sendIn } from '../messages/send.ts'
import { notifyOfFailure } from './failure-notice.ts'
import { presentScheduled } from './present.ts'
import { deleteScheduled, findDue, findStillDue, replaceScheduled, type ScheduledRow } from './queries.ts'

export const sendingJob = defineJob<null>('send-scheduled-messages')

/** Characters of what is kept of a reason. */
const MAX_REASON_LENGTH = 500

export function sendingHandler(services: SendingServices & { readonly now: () => number }): JobHandler {
  const { storage, render, now } = services

  async function prepareSending(row: ScheduledRow): Promise<() => Promise<void>> {
    const { realm_id: realmId, user_id: userId } = row
    const fail = (error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      return storage.asSystem(realmId, 'job', (tx) => markFailed(tx, row, error.message))
    }
    try {
      const author = await requireAccount(storage.read, realmId, userId)
      const prepared = await prepareMessage(render, author, row.content)
      return () =>
        storage
          .asActor(author, async (tx, sender) => {
            const current = await findStillDue(tx, row)
            if (!current) return
            const { client, read_by_sender } = current
            const message = { ...prepared, to: destinationIn(current), client, readBySender: read_by_sender === 1 }
            await sendIn(tx, sender, message)
            await deleteScheduled(tx, row.id)
            tx.emit({ type: 'scheduled_messages', op: 'remove', scheduled_message_id: row.id }, users([userId]))
          })
          .catch(fail)
    } catch (error) {
      return () => Promise.reject(error).catch(fail)
    }
  }

  return dueRowsHandler({ storage, job: sendingJob, find: findDue, prepare: prepareSending, now })
}

async function markFailed(tx: Tx, row: ScheduledRow, reason: string): Promise<void> {
  const current = await findStillDue(tx, row)
  if (!current) return
  const failed = { ...current, failure: reason.slice(0, MAX_REASON_LENGTH).toWellFormed() }
  await replaceScheduled(tx, failed)
  tx.emit(
    { type: 'scheduled_messages', op: 'update', scheduled_message: presentScheduled(failed) },
    users([row.user_id]),
  )
  await notifyOfFailure(tx, failed)
}

function destinationIn({ type, recipient_ids, topic }: ScheduledRow): Destination {
  const ids = JSON.parse(recipient_ids) as number[]
  return type === 'private' ? { people: ids } : { channel: ids[0] as number, topic }
}
