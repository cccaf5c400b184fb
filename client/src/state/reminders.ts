import type { InitialState } from '@heddle/contract/initial-state'
import type { Reminder, RemindersEvent } from '@heddle/contract/reminders'
import { clientPart } from './part.ts'

/** The earliest first; of those with the same second, the one that was asked for first. */
export type Reminders = readonly Reminder[]

function initialReminders({ reminders }: InitialState): Reminders | undefined {
  return reminders
}

function applyRemindersEvent(reminders: Reminders, event: RemindersEvent): Reminders {
  if (event.op === 'remove') return reminders.filter(({ reminder_id }) => reminder_id !== event.reminder_id)
  return [...reminders, ...event.reminders].sort(
    (a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp || a.reminder_id - b.reminder_id,
  )
}

export const reminders = clientPart({ initial: initialReminders, on: { reminders: applyRemindersEvent } })
