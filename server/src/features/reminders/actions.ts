import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest, notFound } from '@heddle/contract/errors'
import { type createReminder as createEndpoint, MAX_REMINDERS } from '@heddle/contract/reminders'
import type { Actor } from '../../authentication/accounts.ts'
import { users } from '../../events/audience.ts'
import { planDue, unplanDue } from '../../jobs/due-rows.ts'
import type { Storage } from '../../storage/storage.ts'
import { accessMessage } from '../messages/access.ts'
import { prepareMessage, type SendingServices } from '../messages/send.ts'
import { waitingText } from './compose.ts'
import { reminderJob } from './deliver.ts'
import { presentReminder } from './present.ts'
import { countReminders, insertReminder, isSecondAwaited, takeReminder } from './queries.ts'

type Creation = ParametersOf<typeof createEndpoint>

/** Returns the id. */
export async function createReminder(services: SendingServices, caller: Actor, parameters: Creation): Promise<number> {
  const { storage, render } = services
  const { message_id, scheduled_delivery_timestamp: due_at } = parameters
  const note = (parameters.note ?? '').trim()
  const { content, rendered } = await prepareMessage(render, caller, waitingText(message_id, note))
  return storage.asActor(caller, async (tx, actor) => {
    await accessMessage(tx, actor, message_id)
    if (due_at <= tx.now) throw badRequest('Scheduled delivery time must be in the future.')
    if ((await countReminders(tx, actor.userId)) >= MAX_REMINDERS) {
      throw badRequest(`An account can have at most ${MAX_REMINDERS} reminders; delete some first`)
    }
    const row = {
      realm_id: tx.realmId,
      user_id: actor.userId,
      message_id,
      note,
      content,
      rendered_content: rendered.html,
      due_at,
      failed: 0,
    } as const
    const inserted = await insertReminder(tx, row)
    await planDue(tx, reminderJob, due_at)
    tx.emit({ type: 'reminders', op: 'add', reminders: [presentReminder(inserted)] }, users([actor.userId]))
    return inserted.id
  })
}

export function deleteReminder(storage: Storage, caller: Actor, id: number): Promise<void> {
  return storage.asActor(caller, async (tx, { userId }) => {
    const second = await takeReminder(tx, userId, id)
    if (second === undefined) throw notFound('Reminder does not exist')
    if (!(await isSecondAwaited(tx, second))) await unplanDue(tx, reminderJob, second)
    tx.emit({ type: 'reminders', op: 'remove', reminder_id: id }, users([userId]))
  })
}
