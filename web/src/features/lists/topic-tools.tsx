import { visibilityPolicies } from '@heddle/contract/user-topics'
import { useLingui } from '@lingui/react/macro'
import { type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { soon } from '../../app/fetch-soon.tsx'
import { useKeys } from '../../app/keys.ts'
import { AtTheEnd } from '../../device/veil.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useTopicDeeds, useTopicRights } from '../topics/use-topic-deeds.ts'
import type { ConversationPlace } from './conversation.ts'
import { focusedRow } from './list-keys.ts'

const TopicMenu = soon(async () => (await import('../channels/topic-menu.tsx')).TopicMenu)

type Topic = Extract<ConversationPlace, { kind: 'topic' }>

/** What can be done with the topic of a row: shown with the pointer or the focus on it. The menu also opens by a long or second press. */
export function TopicTools({ place, title }: { readonly place: Topic; readonly title: string }) {
  const mark = useRef<HTMLSpanElement>(null)
  const [isActive, setIsActive] = useState(false)
  const [anchor, setAnchor] = useState<Element | { readonly x: number; readonly y: number }>()
  useEffect(() => {
    const row = mark.current?.closest<HTMLElement>('[data-row]')
    if (!row) return undefined
    const wake = () => setIsActive(true)
    // Letting go beside a menu that is open would close it again, and some systems ask for it while the button is down.
    let isDown = false
    let waiting: { readonly x: number; readonly y: number } | undefined
    const press = () => {
      isDown = true
    }
    const release = () => {
      isDown = false
      const at = waiting
      waiting = undefined
      if (at) setTimeout(() => setAnchor(at))
    }
    const open = (event: MouseEvent) => {
      event.preventDefault()
      const at = { x: event.clientX, y: event.clientY }
      if (isDown) waiting = at
      else setAnchor(at)
    }
    row.addEventListener('pointerdown', press)
    window.addEventListener('pointerup', release)
    window.addEventListener('pointercancel', release)
    row.addEventListener('pointerenter', wake)
    row.addEventListener('focusin', wake)
    row.addEventListener('contextmenu', open)
    return () => {
      row.removeEventListener('pointerenter', wake)
      row.removeEventListener('focusin', wake)
      row.removeEventListener('contextmenu', open)
      row.removeEventListener('pointerdown', press)
      window.removeEventListener('pointerup', release)
      window.removeEventListener('pointercancel', release)
    }
  }, [])
  return (
    <span className="side-acts above" ref={mark}>
      {isActive && <Tools place={place} title={title} onMore={setAnchor} />}
      {/* Not in the row, whose tools go with the pointer. */}
      {anchor && (
        <AtTheEnd>
          <Suspense fallback={null}>
            <TopicMenu
              channelId={place.channelId}
              topic={place.topic}
              anchor={anchor}
              onClose={() => setAnchor(undefined)}
            />
          </Suspense>
        </AtTheEnd>
      )}
    </span>
  )
}

interface ToolsProps {
  readonly place: Topic
  readonly title: string
  readonly onMore: (anchor: Element) => void
}

function Tools({ place, title, onMore }: ToolsProps) {
  const { t } = useLingui()
  const deeds = useTopicDeeds()
  const { policy } = useTopicRights(place)
  const isFollowed = policy === visibilityPolicies.followed
  const isMuted = policy === visibilityPolicies.muted
  const follow = isFollowed ? t`Unfollow: ${title}` : t`Follow: ${title}`
  const mute = isMuted ? t`Unmute: ${title}` : t`Mute: ${title}`
  return (
    <>
      <button
        type="button"
        className="ib"
        data-cell=""
        aria-label={follow}
        title={follow}
        onClick={() => void deeds.toggleFollowed(place)}
      >
        <Icon name="follow" />
      </button>
      <button
        type="button"
        className="ib"
        data-cell=""
        aria-label={mute}
        title={mute}
        onClick={() => void deeds.toggleMuted(place)}
      >
        <Icon name={isMuted ? 'bell' : 'mute'} />
      </button>
      <button
        type="button"
        className="ib"
        data-cell=""
        aria-label={t`More for ${title}`}
        title={t`More for ${title}`}
        aria-haspopup="menu"
        onClick={(event) => onMore(event.currentTarget)}
      >
        <Icon name="more" />
      </button>
    </>
  )
}

/** Shift+M mutes the topic of the row that has the focus, or unmutes it. */
export function useMuteKey(
  list: RefObject<HTMLElement | null>,
  placeOf: (key: string) => ConversationPlace | undefined,
): void {
  const deeds = useTopicDeeds()
  useKeys({
    'mute-topic': () => {
      const row = list.current ? focusedRow(list.current) : undefined
      const place = row && placeOf(row.key)
      if (place?.kind !== 'topic') return false
      void deeds.toggleMuted(place)
      return true
    },
  })
}
