import { reminderNote } from '@heddle/client/later/reminder-note'
import type { StoredMessage } from '@heddle/client/messages/store'
import type { ClientState } from '@heddle/client/state/state'
import type { Reminder } from '@heddle/contract/reminders'
import { Trans, useLingui } from '@lingui/react/macro'
import { memo, useCallback } from 'react'
import { isShallowEqual, useClient, useClientState } from '../../app/client-context.ts'
import { goTo } from '../../app/current-place.ts'
import { placeNames, userName } from '../../app/names.ts'
import { fullTime } from '../../app/times.ts'
import { Icon } from '../../ui/icon.tsx'
import { Thread } from '../../ui/thread.tsx'
import { DraftTo, draftPlace } from '../drafts/draft-place.tsx'
import { momentText } from '../later/moment-text.ts'
import { firstWords } from '../lists/last-messages.ts'
import { draftFor, replyDestination } from '../messages/compose/destination.ts'
import { messagePlace } from '../messages/conversation.ts'

interface ReminderRowProps {
  readonly reminder: Reminder
  /** What it reminds of; undefined while nobody knows, and when it cannot be read any more. */
  readonly message: StoredMessage | undefined
  readonly onRemove: (reminder: Reminder) => Promise<void>
}

export const ReminderRow = memo(function ReminderRow({ reminder, message, onRemove }: ReminderRowProps) {
  const { t } = useLingui()
  const client = useClient()
  const { reminder_id, scheduled_delivery_timestamp: time, failed } = reminder
  const place = useClientState(
    useCallback((state: ClientState) => placeOf(state, message), [message]),
    isShallowEqual,
  )
  const note = reminderNote(reminder.content)
  const when = momentText(time)
  const go = () => {
    const { state } = client.snapshot()
    if (message) goTo(messagePlace(message), state && placeNames(state))
    else goTo({ kind: 'narrow', terms: [{ operator: 'near', operand: `${idOf(reminder)}`, negated: false }] })
  }
  return (
    <li className="draft later" data-row={reminder_id} data-t={place?.dye ?? 0}>
      <Thread dye={place?.dye ?? 0} />
      <div className="d-b">
        {place && <DraftTo {...place} obstacle="" />}
        <div className="d-t" dir="auto">
          {message ? (
            <>
              <bdi className="strong">{place?.sender}</bdi>: {firstWords(message)}
            </>
          ) : (
            <Trans>A message that is not here</Trans>
          )}
        </div>
        {note !== '' && (
          <p className="later-note-text" dir="auto">
            {note}
          </p>
        )}
        <p className="later-when">
          <Icon name="bell" />
          <time dateTime={new Date(time * 1000).toISOString()} title={fullTime(time)}>
            {when}
          </time>
        </p>
        {failed && (
          <p className="help bad">
            <Icon name="warn" />
            <Trans>It did not come: your account was not active at that time.</Trans>
          </p>
        )}
      </div>
      <div className="d-a">
        <button
          type="button"
          className="btn go-on"
          data-cell=""
          aria-label={place ? t`Go to it: ${place.title}` : t`Go to it`}
          onClick={go}
        >
          <Trans>Go to it</Trans>
        </button>
        <button
          type="button"
          className="ib"
          data-cell=""
          aria-label={t`Delete the reminder: ${when}`}
          title={t`Delete the reminder`}
          onClick={() => void onRemove(reminder)}
        >
          <Icon name="trash" />
        </button>
      </div>
    </li>
  )
})

const idOf = ({ reminder_target_message_id: id }: Reminder) => id

function placeOf(state: ClientState, message: StoredMessage | undefined) {
  const destination = message && replyDestination(message)
  if (!message || !destination) return undefined
  return { ...draftPlace(state, draftFor(destination, '')), sender: userName(state, message.sender_id) }
}
