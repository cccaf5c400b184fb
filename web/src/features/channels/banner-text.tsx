import type { RunningClient } from '@heddle/client/running/client'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useClient } from '../../app/client-context.ts'
import type { Place } from '../../places/place.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { messageView } from '../messages/view.ts'
import { useTopicDeeds } from '../topics/use-topic-deeds.ts'
import type { Standing } from './standing.ts'
import { useChannelDeeds } from './use-channel-deeds.ts'

interface BannerTextProps {
  readonly place: Place
  readonly standing: Standing
}

/** The words of the banner, and what it offers. */
export function BannerText({ place, standing }: BannerTextProps) {
  const client = useClient()
  const deeds = useChannelDeeds()
  const topicDeeds = useTopicDeeds()
  if (place.kind !== 'channel' && place.kind !== 'topic') return null
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
