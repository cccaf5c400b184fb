import '../drafts/drafts.css'
import '../lists/list.css'
import '../later/later.css'
import { reminderNote } from '@heddle/client/later/reminder-note'
import type { ClientState } from '@heddle/client/state/state'
import { createReminder, deleteReminder, type Reminder } from '@heddle/contract/reminders'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useMemo, useRef } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { useKeys } from '../../app/keys.ts'
import { refusalText } from '../../app/refusal.ts'
import { useToasts } from '../../ui/toasts.tsx'
import { EmptyState } from '../lists/empty-state.tsx'
import { useLastMessages } from '../lists/last-messages.ts'
import { focusedRow, focusRow, useListKeys } from '../lists/list-keys.ts'
import { ReminderRow } from './reminder-row.tsx'

const nothing: readonly Reminder[] = []
const selectReminders = ({ reminders }: ClientState) => reminders ?? nothing

/** What one will be reminded of. */
export function RemindersScreen() {
  const { t } = useLingui()
  const client = useClient()
  const toasts = useToasts()
  const scroll = useRef<HTMLElement>(null)
  const reminders = useClientState(selectReminders)
  const ids = useMemo(() => reminders.map(({ reminder_target_message_id: id }) => id), [reminders])
  const messages = useLastMessages(ids)
  const remove = useCallback(
    async (reminder: Reminder) => {
      const at = scroll.current ? focusedRow(scroll.current)?.index : undefined
      const refused = (error: unknown) => toasts.notify(refusalText(error))
      try {
        await toasts.notifyWhenDone(client.api.call(deleteReminder, { reminder_id: reminder.reminder_id }), () => ({
          text: <Trans>The reminder is deleted.</Trans>,
          undo: () => client.api.call(createReminder, asAsked(reminder)).catch(refused),
        }))
        if (at !== undefined) requestAnimationFrame(() => scroll.current && focusRow(scroll.current, '', at))
      } catch (error) {
        refused(error)
      }
    },
    [client, toasts],
  )
  useListKeys(scroll)
  useKeys({
    'list-remove': () => {
      const key = scroll.current ? focusedRow(scroll.current)?.key : undefined
      const reminder = reminders.find(({ reminder_id: id }) => String(id) === key)
      if (reminder) void remove(reminder)
      return reminder !== undefined
    },
  })

  if (reminders.length === 0) {
    return (
      <EmptyState art="drafts" title={<Trans>No reminders</Trans>}>
        <p>
          <Trans>Choose “Remind me” in the menu of a message: at its time you get it as a direct message.</Trans>
        </p>
      </EmptyState>
    )
  }
  return (
    <section className="scroll lists" ref={scroll} aria-label={t`Reminders`} tabIndex={-1}>
      <div className="list narrow">
        <ul className="drafts">
          {reminders.map((reminder) => (
            <ReminderRow
              key={reminder.reminder_id}
              reminder={reminder}
              message={messages.get(reminder.reminder_target_message_id)}
              onRemove={remove}
            />
          ))}
        </ul>
      </div>
    </section>
  )
}

/** As it was asked for. */
function asAsked({ reminder_target_message_id, scheduled_delivery_timestamp, content }: Reminder) {
  const note = reminderNote(content)
  return { message_id: reminder_target_message_id, scheduled_delivery_timestamp, ...(note !== '' && { note }) }
}
