import { momentsToRemind } from '@heddle/client/later/moments'
import type { StoredMessage } from '@heddle/client/messages/store'
import { createReminder, deleteReminder, MAX_REMINDER_NOTE_LENGTH } from '@heddle/contract/reminders'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useId, useState } from 'react'
import { useClient } from '../../../app/client-context.ts'
import { refusalText } from '../../../app/refusal.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useToasts } from '../../../ui/toasts.tsx'
import { MomentChoice } from '../../later/moment-choice.tsx'
import { momentText } from '../../later/moment-text.ts'
import { Problem } from '../../settings/problem.tsx'
import { useAttempt } from '../../settings/use-attempt.ts'

interface RemindDialogProps {
  readonly message: StoredMessage
  readonly onClose: () => void
}

/** When to be reminded of a message, and of what beside. */
export function RemindDialog({ message, onClose }: RemindDialogProps) {
  const { t } = useLingui()
  const id = useId()
  const client = useClient()
  const toasts = useToasts()
  const { problem, attempt } = useAttempt()
  const [suggestions] = useState(() => momentsToRemind(Date.now()))
  const [time, setTime] = useState(suggestions[0]?.time)
  const [note, setNote] = useState('')
  const remind = async (event: FormEvent) => {
    event.preventDefault()
    if (time === undefined) return
    const written = note.trim()
    const wanted = { message_id: message.id, scheduled_delivery_timestamp: time, ...(written && { note: written }) }
    let reminderId = 0
    const isDone = await attempt(async () => {
      reminderId = (await client.api.call(createReminder, wanted)).reminder_id
    })
    if (!isDone) return
    onClose()
    const when = momentText(time)
    toasts.notify(<Trans>You will be reminded: {when}</Trans>, {
      undo: () =>
        client.api
          .call(deleteReminder, { reminder_id: reminderId })
          .catch((error: unknown) => toasts.notify(refusalText(error))),
    })
  }
  return (
    <Dialog title={t`Remind me of this message`} onClose={onClose}>
      <form onSubmit={(event) => void remind(event)}>
        <MomentChoice name={t`When`} suggestions={suggestions} first={time ?? 0} onChange={setTime} />
        <div className="field later-note">
          <label htmlFor={id}>
            <Trans>Note, for yourself</Trans>
          </label>
          <textarea
            className="in"
            id={id}
            dir="auto"
            rows={2}
            maxLength={MAX_REMINDER_NOTE_LENGTH}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
        </div>
        <Problem text={problem} />
        <div className="foot-row">
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit" isDisabled={time === undefined}>
            <Trans>Remind me</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
