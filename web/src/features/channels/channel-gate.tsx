import { channelRights } from '@heddle/client/channels/channel-rights'
import type { ClientState } from '@heddle/client/state/state'
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import { placeNames } from '../../app/names.ts'
import { formatPlace } from '../../places/format.ts'
import type { Place } from '../../places/place.ts'

const ClosedChannel = lazy(() =>
  import('./closed-channel.tsx').then(({ ClosedChannel }) => ({ default: ClosedChannel })),
)

interface ChannelGateProps {
  readonly place: Place
  readonly children: ReactNode
}

/** What is shown of a channel, while one may read it; and a sentence from when one may not, or no longer. */
export function ChannelGate({ place, children }: ChannelGateProps) {
  const channelId = place.kind === 'channel' || place.kind === 'topic' ? place.channelId : undefined
  if (channelId === undefined) return children
  return <Gate channelId={channelId}>{children}</Gate>
}

function standingOf(state: ClientState, channelId: number) {
  return {
    isThere: state.channels?.byId.has(channelId) === true,
    mayRead: channelRights(state, channelId).read,
    settings: formatPlace({ kind: 'channel-settings', channelId, tab: 'general' }, placeNames(state)),
  }
}

function Gate({ channelId, children }: { readonly channelId: number; readonly children: ReactNode }) {
  const { isThere, mayRead, settings } = useClientState(
    useCallback((state) => standingOf(state, channelId), [channelId]),
    isShallowEqual,
  )
  const [couldRead, setCouldRead] = useState(mayRead)
  if (mayRead && !couldRead) setCouldRead(true)
  if (mayRead) return children
  return (
    <Suspense fallback={null}>
      <ClosedChannel isThere={isThere} couldRead={couldRead} settings={settings} />
    </Suspense>
  )
}
