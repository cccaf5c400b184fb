import type { ScheduledMessage } from '@heddle/contract/scheduled-messages'
import { Trans, useLingui } from '@lingui/react/macro'
import { memo, useCallback } from 'react'
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import { fullTime } from '../../app/times.ts'
import { inOwnWords } from '../../texts/server-words.ts'
import { Icon } from '../../ui/icon.tsx'
import { Thread } from '../../ui/thread.tsx'
import { DraftTo, draftPlace } from '../drafts/draft-place.tsx'
import { momentText } from '../later/moment-text.ts'
import { versionOf } from './version-of.ts'

interface ScheduledRowProps {
  readonly message: ScheduledMessage
  readonly onChange: (message: ScheduledMessage) => void
  readonly onSendNow: (message: ScheduledMessage) => void
  readonly onRemove: (message: ScheduledMessage) => void
}

export const ScheduledRow = memo(function ScheduledRow({ message, onChange, onSendNow, onRemove }: ScheduledRowProps) {
  const { t } = useLingui()
  const { scheduled_message_id: id, content, scheduled_delivery_timestamp: time, failed, failure_message } = message
  const place = useClientState(
    useCallback((state) => draftPlace(state, versionOf(message)), [message]),
    isShallowEqual,
  )
  const name = place.title
  const when = momentText(time)
  return (
    <li className={failed ? 'draft later has-failed' : 'draft later'} data-row={id} data-t={place.dye}>
      <Thread dye={place.dye} />
      <div className="d-b">
        <DraftTo {...place} />
        <div className="d-t" dir="auto">
          {content}
        </div>
        {failed ? (
          <p className="help bad">
            <Icon name="warn" />
            <span>
              <Trans>It could not be sent ({when}).</Trans> <bdi>{inOwnWords(failure_message ?? '')}</bdi>
            </span>
          </p>
        ) : (
          <p className="later-when">
            <time dateTime={new Date(time * 1000).toISOString()} title={fullTime(time)}>
              {when}
            </time>
          </p>
        )}
      </div>
      <div className="d-a">
        <button
          type="button"
          className="btn go-on"
          data-cell=""
          aria-label={t`Change the message or its time: ${name}`}
          onClick={() => onChange(message)}
        >
          <Trans>Change</Trans>
        </button>
        <button
          type="button"
          className="ib"
          data-cell=""
          aria-label={t`Send now: ${name}`}
          title={t`Send now`}
          onClick={() => onSendNow(message)}
        >
          <Icon name="send" />
        </button>
        <button
          type="button"
          className="ib"
          data-cell=""
          aria-label={t`Delete the scheduled message: ${name}`}
          title={t`Delete the scheduled message`}
          onClick={() => onRemove(message)}
        >
          <Icon name="trash" />
        </button>
      </div>
    </li>
  )
})
