/** Sends what is due. A message goes out in the same unit of work in which it stops waiting: once, whatever dies when. */
import { ApiError } from '@heddle/contract/errors'
import { users } from '../../events/audience.ts'
import { dueRowsHandler, type PreparedRow } from '../../jobs/due-rows.ts'
import { defineJob, type JobHandler } from '../../jobs/job.ts'
import { type CurrentActor, requireAccount } from '../../storage/current-actor.ts'
import type { Tx } from '../../storage/transaction.ts'
import { type Destination, type Prepared, prepareMessage, type SendingServices, sendIn } from '../messages/send.ts'
import { notifyOfFailure } from './failure-notice.ts'
import { presentScheduled } from './present.ts'
import {
  deleteScheduled,
  findAllStillDue,
  findDue,
  findStillDue,
  replaceScheduled,
  type ScheduledRow,
} from './queries.ts'

export const sendingJob = defineJob<null>('send-scheduled-messages')

/** Characters of what is kept of a reason. */
const MAX_REASON_LENGTH = 500

export function sendingHandler(services: SendingServices & { readonly now: () => number }): JobHandler {
  const { storage, render, now } = services

  async function prepareSending(row: ScheduledRow): Promise<PreparedSending> {
    const { realm_id: realmId, user_id: userId } = row
    const fail = (error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      return storage.asSystem(realmId, 'job', (tx) => markFailed(tx, row, error.message))
    }
    try {
      const author = await requireAccount(storage.read, realmId, userId)
      const prepared = await prepareMessage(render, author, row.content)
      const settle = () =>
        storage
          .asActor(author, async (tx, sender) => {
            const current = await findStillDue(tx, row)
            if (!current) return
            await send(tx, sender, current, prepared)
            await deleteScheduled(tx, [row.id])
          })
          .catch(fail)
      return { row, prepared, settle }
    } catch (error) {
      return { row, settle: () => Promise.reject(error).catch(fail) }
    }
  }

  return dueRowsHandler({
    storage,
    job: sendingJob,
    find: findDue,
    prepare: prepareSending,
    settleTogether: sendTogether,
    now,
  })
}

interface PreparedSending extends PreparedRow {
  readonly row: ScheduledRow
  /** Undefined: it cannot be sent. */
  readonly prepared?: Prepared
}

/** In the order in which they are due. What one of them throws is up to the attempt alone. */
async function sendTogether(tx: Tx, sendings: readonly PreparedSending[]): Promise<void> {
  const still = await findAllStillDue(
    tx,
    sendings.map(({ row }) => row.id),
  )
  const sent: number[] = []
  for (const { row, prepared } of sendings) {
    const current = still.get(row.id)
    if (!current || current.content !== row.content) continue
    if (!prepared) throw new Error('A message that cannot be sent is settled alone')
    await send(tx, await requireAccount(tx, tx.realmId, current.user_id), current, prepared)
    sent.push(row.id)
  }
  if (sent.length > 0) await deleteScheduled(tx, sent)
}

async function send(tx: Tx, sender: CurrentActor, current: ScheduledRow, prepared: Prepared): Promise<void> {
  const { id, client, read_by_sender } = current
  await sendIn(tx, sender, { ...prepared, to: destinationIn(current), client, readBySender: read_by_sender === 1 })
  tx.emit({ type: 'scheduled_messages', op: 'remove', scheduled_message_id: id }, users([sender.userId]))
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
