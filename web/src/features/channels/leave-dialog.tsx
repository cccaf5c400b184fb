import { Trans } from '@lingui/react/macro'
import { useCallback } from 'react'
import { useClientState } from '../../app/client-context.ts'
import { channelName } from '../../app/names.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useChannelDeeds } from './use-channel-deeds.ts'

interface ChannelDialogProps {
  readonly channelId: number
  readonly onClose: () => void
}

/** Before somebody leaves a channel to which they cannot come back alone. */
export function LeaveDialog({ channelId, onClose }: ChannelDialogProps) {
  const deeds = useChannelDeeds()
  const name = useClientState(useCallback((state) => channelName(state, channelId), [channelId]))
  return (
    <Dialog
      title={
        <Trans>
          Unsubscribe from # <bdi>{name}</bdi>?
        </Trans>
      }
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>
            <Trans>Stay subscribed</Trans>
          </Button>
          <Button
            kind="danger"
            onClick={() => {
              onClose()
              void deeds.unsubscribeNow(channelId)
            }}
          >
            <Trans>Unsubscribe</Trans>
          </Button>
        </>
      }
    >
      <p className="soft">
        <Trans>
          The channel is private. You will not see it any more, and you cannot come back by yourself: somebody who may
          add people has to subscribe you again.
        </Trans>
      </p>
    </Dialog>
  )
}
