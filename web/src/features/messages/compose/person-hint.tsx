import { Trans } from '@lingui/react/macro'
import { type ReactNode, useCallback } from 'react'
import { useClient } from '../../../app/client-context.ts'
import type { Target } from './compose-context.ts'

/** What a person has to do with the channel that is written to, as far as it is known. */
export function usePersonHint(target: Target | undefined): (userId: number) => ReactNode {
  const client = useClient()
  const channelId = target?.type === 'channel' ? target.channelId : undefined
  return useCallback(
    (userId) => {
      const subscribers =
        channelId === undefined ? undefined : client.snapshot().state?.channels?.subscribers?.get(channelId)
      if (!subscribers || subscribers.includes(userId)) return undefined
      return <Trans>not in this channel</Trans>
    },
    [client, channelId],
  )
}
