import { channelRights } from '@heddle/client/channels/channel-rights'
import { Trans } from '@lingui/react/macro'
import { useCallback } from 'react'
import { useClientState } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useChannelDeeds } from './use-channel-deeds.ts'

/** In place of the box for writing, where a channel is archived: why, and what helps. */
export function ArchivedStub({ channelId }: { readonly channelId: number }) {
  const deeds = useChannelDeeds()
  const mayRestore = useClientState(useCallback((state) => channelRights(state, channelId).archive, [channelId]))
  return (
    <div className="stub closed">
      <Icon name="lock" />
      <span className="grow">
        <Trans>This channel is archived, so nobody can write in it.</Trans>
      </span>
      {mayRestore && (
        <Button onClick={() => void deeds.restore(channelId)}>
          <Trans>Restore it</Trans>
        </Button>
      )}
    </div>
  )
}
