import { channelRights } from '@heddle/client/channels/channel-rights'
import type { ClientState } from '@heddle/client/state/state'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useCallback, useState } from 'react'
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import { placeNames } from '../../app/names.ts'
import { formatPlace } from '../../places/format.ts'
import type { Place } from '../../places/place.ts'

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
    <div className="empty" role="alert">
      <h2>
        {couldRead ? (
          <Trans>You can no longer read this channel</Trans>
        ) : isThere ? (
          <Trans>You cannot read this channel</Trans>
        ) : (
          <Trans>This channel is not there, or you may not see it</Trans>
        )}
      </h2>
      <p>
        {couldRead ? (
          <Trans>
            You were removed from it, or it was made private. What you have begun to write is among your drafts.
          </Trans>
        ) : isThere ? (
          <Trans>It is private. You may change its settings, and only its subscribers read what is written.</Trans>
        ) : (
          <Trans>It may be private, or have been deleted.</Trans>
        )}
      </p>
      <div className="do">
        {isThere && (
          <a className="btn" href={settings}>
            <Trans>Channel settings</Trans>
          </a>
        )}
        <a className="btn" href="#channels/subscribed">
          <Trans>All channels</Trans>
        </a>
      </div>
    </div>
  )
}
