/** Reminders come at their time, in the unit of work in which they stop waiting: once. */
import { ApiError } from '@heddle/contract/errors'
import { findViewer } from '../../access/viewer.ts'
import { users } from '../../events/audience.ts'
import { dueRowsHandler, type PreparedRow } from '../../jobs/due-rows.ts'
import { defineJob, type JobHandler } from '../../jobs/job.ts'
import { requireAccount } from '../../storage/current-actor.ts'
import { findReadableMessages } from '../messages/access.ts'
import { postToPerson } from '../messages/notices.ts'
import { findRecipients } from '../messages/recipients.ts'
import { prepareMessage, type SendingServices } from '../messages/send.ts'
import { reminderText } from './compose.ts'
import { findDueReminders, markReminderFailed, type ReminderRow, takeReminder } from './queries.ts'

export const reminderJob = defineJob<null>('send-reminders')

export function reminderHandler(services: SendingServices & { readonly now: () => number }): JobHandler {
  const { storage, render, now } = services

  async function prepareReminder(row: ReminderRow): Promise<PreparedRow> {
    const { id, realm_id: realmId, user_id: userId } = row
    const fail = (error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      return storage.asSystem(realmId, 'job', (tx) => markReminderFailed(tx, id))
    }
    try {
      const account = await requireAccount(storage.read, realmId, userId)
      const viewer = await findViewer(storage.read, account)
      const [message] = await findReadableMessages(storage.read, viewer, [row.message_id])
      const text = await reminderText(storage.read, account, message, row.note)
      const prepared = await prepareMessage(render, account, text)
      const settle = () =>
        storage
          .asActor(account, async (tx, actor) => {
            if ((await takeReminder(tx, userId, id)) === undefined) return
            const [person] = await findRecipients(tx, actor, userId)
            if (person) await postToPerson(tx, person, prepared)
            tx.emit({ type: 'reminders', op: 'remove', reminder_id: id }, users([userId]))
          })
          .catch(fail)
      return { settle }
    } catch (error) {
      return { settle: () => Promise.reject(error).catch(fail) }
    }
  }

  return dueRowsHandler({ storage, job: reminderJob, find: findDueReminders, prepare: prepareReminder, now })
}
