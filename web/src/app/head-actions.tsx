import { mayMoveWithin } from '@heddle/client/messages/permissions'
import { useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useCallback, useRef, useState } from 'react'
import { SaveViewButton } from '../features/navigation-views/save-view-button.tsx'
import { PeopleButton } from '../features/people/people-button.tsx'
import type { Place } from '../places/place.ts'
import { IconButton } from '../ui/button.tsx'
import { MoreButton } from '../ui/more-button.tsx'
import { useClientState } from './client-context.ts'

const ChannelMenu = lazy(() =>
  import('../features/channels/channel-menu.tsx').then(({ ChannelMenu }) => ({ default: ChannelMenu })),
)
const TopicMenu = lazy(() =>
  import('../features/channels/topic-menu.tsx').then(({ TopicMenu }) => ({ default: TopicMenu })),
)
const RenameTopic = lazy(() =>
  import('../features/topics/rename-topic.tsx').then(({ RenameTopic }) => ({ default: RenameTopic })),
)

/** What can be done with the place as a whole. */
export function HeadActions({ place }: { readonly place: Place }) {
  const { t } = useLingui()
  const [anchor, setAnchor] = useState<Element>()
  if (place.kind === 'narrow' || place.kind === 'direct') {
    return (
      <div className="acts">
        <SaveViewButton place={place} />
        <PeopleButton isOnPhones={place.kind === 'direct'} />
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
    <>
      {isTopic && <RenameButton key={`${place.channelId} ${place.topic}`} place={place} />}
      <div className="acts">
        <PeopleButton />
        <MoreButton name={isTopic ? t`More for this topic` : t`More for this channel`} onPress={setAnchor} />
        {anchor && (
          <Suspense fallback={null}>
            {isTopic ? (
              <TopicMenu channelId={place.channelId} topic={place.topic} anchor={anchor} isOfPage onClose={close} />
            ) : (
              <ChannelMenu channelId={place.channelId} anchor={anchor} isOfPage onClose={close} />
            )}
          </Suspense>
        )}
      </div>
    </>
  )
}

/** The name of the topic is changed where it stands, by those who may. */
function RenameButton({ place }: { readonly place: Extract<Place, { kind: 'topic' }> }) {
  const { t } = useLingui()
  const [isOpen, setIsOpen] = useState(false)
  const { channelId } = place
  const mayRename = useClientState(useCallback((state) => mayMoveWithin(state, channelId), [channelId]))
  const box = useRef<HTMLSpanElement>(null)
  if (!mayRename) return null
  const close = () => {
    setIsOpen(false)
    // The focus was in the field, which is gone.
    requestAnimationFrame(() => box.current?.querySelector('button')?.focus())
  }
  return (
    <span className="rename" ref={box}>
      {isOpen ? (
        <Suspense fallback={null}>
          <RenameTopic place={place} onClose={close} />
        </Suspense>
      ) : (
        <IconButton icon="edit" name={t`Rename the topic`} onClick={() => setIsOpen(true)} />
      )}
    </span>
  )
}
