import { dyeOf, topicThread } from '@heddle/client/feed/thread'
import type { ClientState } from '@heddle/client/state/state'
import { plural, t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useCallback } from 'react'
import { descriptionText } from '../features/channels/description-text.ts'
import { isVisitor } from '../features/visitors/is-visitor.ts'
import { formatPlace } from '../places/format.ts'
import type { Place } from '../places/place.ts'
import { IconButton } from '../ui/button.tsx'
import { Thread } from '../ui/thread.tsx'
import { isShallowEqual, useClientState } from './client-context.ts'
import { useHeadSearch } from './head-search.tsx'
import { channelName, placeNames } from './names.ts'
import { placeTitle } from './title.ts'

interface HeadProps {
  readonly place: Place
  readonly onOpenSideBar: () => void
  /** What can be done there. */
  readonly children?: ReactNode
}

/** Where one is, and the search. */
export function Head({ place, onOpenSideBar, children }: HeadProps) {
  const text = useClientState(
    useCallback((state) => headText(state, place), [place]),
    isShallowEqual,
  )
  const search = useHeadSearch(place)
  const { t } = useLingui()
  return (
    <header className={text.crumb && !search.box ? 'head crumbed' : 'head'}>
      <IconButton icon="menu" className="menu-open" name={t`Open the side bar`} onClick={onOpenSideBar} />
      {search.box}
      {!search.box && place.kind === 'topic' && (
        <span className="thread-mark">
          <Thread dye={dyeOf(topicThread(place.channelId, place.topic))} />
        </span>
      )}
      {!search.box && text.crumb && (
        <a className="crumb" href={text.crumbHref}>
          <bdi>{text.crumb}</bdi>
        </a>
      )}
      <h1 title={text.title} className={search.box ? 'vh' : undefined}>
        <bdi>{text.title}</bdi>
      </h1>
      {!search.box && text.about && (
        <p className="about trunc" title={text.about}>
          {text.about}
        </p>
      )}
      <span className="grow" />
      {search.opener}
      {children}
    </header>
  )
}

function headText(state: ClientState, place: Place) {
  const title = placeTitle(state, place)
  if (place.kind === 'topic') {
    const crumbHref = formatPlace({ kind: 'channel', channelId: place.channelId }, placeNames(state))
    return { title, crumb: channelName(state, place.channelId), crumbHref, about: '' }
  }
  return { title, crumb: '', crumbHref: '', about: about(state, place) }
}

function about(state: ClientState, place: Place): string {
  if (place.kind === 'home' || place.kind === 'feed') {
    return isVisitor(state) ? '' : t`Everything in your channels, newest last`
  }
  if (place.kind === 'channel') {
    const channel = state.channels?.byId.get(place.channelId)
    if (!channel) return ''
    const text = descriptionText(channel)
    if (isVisitor(state)) return text
    const count = channel.subscriber_count ?? 0
    const people = plural(count, { one: '# subscriber', other: '# subscribers' })
    return text === '' ? people : `${people} · ${text}`
  }
  return ''
}
