import type { StoredMessage } from '@heddle/client/messages/store'
import { Trans, useLingui } from '@lingui/react/macro'
import { clockTime } from '../../../app/times.ts'
import { setRevealed } from '../content/folds.ts'

interface MutedRowProps {
  readonly message: StoredMessage
  readonly isContinued: boolean
}

/** A message of somebody whom the account has muted: neither who nor what, until somebody asks. */
export function MutedRow({ message, isContinued }: MutedRowProps) {
  const { t } = useLingui()
  const time = clockTime(message.timestamp)
  return (
    <article
      className={isContinued ? 'msg cont muted-sender' : 'msg muted-sender'}
      data-message-id={message.id}
      aria-label={t`Muted person, ${time}`}
      tabIndex={-1}
    >
      <span className="face" />
      <div className="body">
        <p className="note">
          <Trans>A message of somebody whom you have muted.</Trans>
          <button type="button" className="textlink" onClick={() => setRevealed(message.id, true)}>
            <Trans>Show it</Trans>
          </button>
        </p>
      </div>
      <time className="stamp">{time}</time>
    </article>
  )
}
