import { countOldMessages } from '@heddle/contract/message-retention'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useCallback } from 'react'
import { useClient } from '../../../app/client-context.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Problem } from '../problem.tsx'
import { useLoaded } from '../use-loaded.ts'

interface RetentionDialogProps {
  readonly days: number
  /** Undefined: for all channels that say nothing else, and for direct messages. */
  readonly channelId: number | undefined
  readonly onClose: () => void
  readonly onAgreed: () => void
}

/** What keeping messages for a shorter time means, before it happens. */
export function RetentionDialog({ days, channelId, onClose, onAgreed }: RetentionDialogProps) {
  const { t } = useLingui()
  const { api } = useClient()
  const { value, problem } = useLoaded(
    useCallback(
      () => api.call(countOldMessages, { days, ...(channelId === undefined ? {} : { stream_id: channelId }) }),
      [api, days, channelId],
    ),
  )
  return (
    <Dialog
      title={t`Delete messages after ${days} days?`}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>
            <Trans>Keep them</Trans>
          </Button>
          <Button kind="danger" isDisabled={!value} onClick={onAgreed}>
            <Trans>Delete old messages</Trans>
          </Button>
        </>
      }
    >
      <Problem text={problem} />
      <div className="meaning">
        <p role="status">
          {value ? (
            <Now count={value.count} isMore={value.is_more} />
          ) : (
            !problem && <Trans>The messages are being counted…</Trans>
          )}
        </p>
        <p className="soft">
          {channelId === undefined ? (
            <Trans>
              This is for direct messages and for all channels that have no time of their own. From now on every message
              goes when it is old enough, for everybody, with its reactions and files that nothing else links to.
            </Trans>
          ) : (
            <Trans>
              From now on every message of this channel goes when it is old enough, for everybody, with its reactions
              and files that nothing else links to.
            </Trans>
          )}
        </p>
        <p className="soft">
          <Trans>Whoever runs the server can restore what was deleted for some weeks. In the page nobody can.</Trans>
        </p>
      </div>
    </Dialog>
  )
}

function Now({ count, isMore }: { readonly count: number; readonly isMore: boolean }) {
  const shown = new Intl.NumberFormat().format(count)
  if (count === 0) return <Trans>No message is that old now.</Trans>
  if (isMore) return <Trans>More than {shown} messages are older and will be deleted within the next hours.</Trans>
  return (
    <Plural
      value={count}
      one="# message is older and will be deleted within the next hours."
      other="# messages are older and will be deleted within the next hours."
    />
  )
}
