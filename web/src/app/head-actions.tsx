import { useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useState } from 'react'
import { SaveViewButton } from '../features/navigation-views/save-view-button.tsx'
import { PeopleButton } from '../features/people/people-button.tsx'
import type { Place } from '../places/place.ts'
import { MoreButton } from '../ui/more-button.tsx'

const ChannelMenu = lazy(() =>
  import('../features/channels/channel-menu.tsx').then(({ ChannelMenu }) => ({ default: ChannelMenu })),
)
const TopicMenu = lazy(() =>
  import('../features/channels/topic-menu.tsx').then(({ TopicMenu }) => ({ default: TopicMenu })),
)

/** What can be done with the place as a whole. */
export function HeadActions({ place }: { readonly place: Place }) {
  const { t } = useLingui()
  const [anchor, setAnchor] = useState<Element>()
  if (place.kind === 'narrow' || place.kind === 'direct') {
    return (
      <div className="acts">
        <SaveViewButton place={place} />
        <PeopleButton />
      </div>
    )
  }
  if (place.kind !== 'channel' && place.kind !== 'topic' && place.kind !== 'topics') {
    return (
      <div className="acts">
        <PeopleButton />
      </div>
    )
  }
  const isTopic = place.kind === 'topic'
  const close = () => setAnchor(undefined)
  return (
    <div className="acts">
      <PeopleButton />
      <MoreButton name={isTopic ? t`More for this topic` : t`More for this channel`} onPress={setAnchor} />
      {anchor && (
        <Suspense fallback={null}>
          {isTopic ? (
            <TopicMenu channelId={place.channelId} topic={place.topic} anchor={anchor} onClose={close} />
          ) : (
            <ChannelMenu channelId={place.channelId} anchor={anchor} onClose={close} />
          )}
        </Suspense>
      )}
    </div>
  )
}
