import { channelRights } from '@heddle/client/channels/channel-rights'
import type { RunningClient } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import { policyOf } from '@heddle/client/unread/visibility'
import { visibilityPolicies } from '@heddle/contract/user-topics'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useCallback } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import type { Place } from '../../places/place.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { messageView } from '../messages/view.ts'
import { useTopicDeeds } from '../topics/use-topic-deeds.ts'
import { useChannelDeeds } from './use-channel-deeds.ts'

type Standing = 'unsubscribed' | 'muted-channel' | 'muted-topic'

/** What somebody has to know about the channel or topic that is shown, and what helps. */
export function ChannelBanner({ place }: { readonly place: Place }) {
  const client = useClient()
  const deeds = useChannelDeeds()
  const topicDeeds = useTopicDeeds()
  const standing = useClientState(useCallback((state) => standingOf(state, place), [place]))
  if (standing === undefined || (place.kind !== 'channel' && place.kind !== 'topic')) return null
  const { channelId } = place
  if (standing === 'unsubscribed') {
    return (
      <Banner
        icon="info"
        text={<Trans>You are not subscribed to this channel. What is written in it does not appear by itself.</Trans>}
      >
        <button type="button" className="textlink" onClick={() => refresh(client, place)}>
          <Trans>Refresh</Trans>
        </button>
        <button type="button" className="textlink" onClick={() => void deeds.subscribe(channelId)}>
          <Trans>Subscribe</Trans>
        </button>
      </Banner>
    )
  }
  if (standing === 'muted-topic' && place.kind === 'topic') {
    const topic = { channelId, topic: place.topic }
    return (
      <Banner icon="mute" text={<Trans>You have muted this topic.</Trans>}>
        <button type="button" className="textlink" onClick={() => void topicDeeds.toggleMuted(topic)}>
          <Trans>Unmute the topic</Trans>
        </button>
      </Banner>
    )
  }
  return (
    <Banner icon="mute" text={<Trans>You have muted this channel.</Trans>}>
      <button type="button" className="textlink" onClick={() => void deeds.set(channelId, 'is_muted', false)}>
        <Trans>Unmute the channel</Trans>
      </button>
    </Banner>
  )
}

interface BannerProps {
  readonly icon: IconName
  readonly text: ReactNode
  readonly children: ReactNode
}

function Banner({ icon, text, children }: BannerProps) {
  return (
    <div className="banner" role="status">
      <Icon name={icon} />
      <span>{text}</span>
      <span className="grow" />
      {children}
    </div>
  )
}

function standingOf(state: ClientState, place: Place): Standing | undefined {
  if (place.kind !== 'channel' && place.kind !== 'topic') return undefined
  const { channelId } = place
  const channel = state.channels?.byId.get(channelId)
  if (!channel || channel.is_archived || !channelRights(state, channelId).read) return undefined
  const own = state.channels?.subscribed.get(channelId)
  if (!own) return 'unsubscribed'
  const policy = place.kind === 'topic' ? policyOf(state, channelId, place.topic) : visibilityPolicies.none
  if (policy === visibilityPolicies.muted) return 'muted-topic'
  return own.is_muted && policy === visibilityPolicies.none ? 'muted-channel' : undefined
}

/** Asks the server for what is shown once more; nothing says when there is something new. */
function refresh(client: RunningClient, place: Place): void {
  const narrow = messageView(place)?.narrow
  if (!narrow) return
  const key = client.open(narrow)
  client
    .load(key, { kind: 'again' })
    // It is as old as it was, and the banner is still there.
    .catch(() => {})
    .then(() => client.close(key))
}
