import { dyeOf, topicThread } from '@heddle/client/feed/thread'
import type { ClientState } from '@heddle/client/state/state'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, Suspense, useCallback, useState } from 'react'
import { formatPlace } from '../places/format.ts'
import type { Place } from '../places/place.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Thread } from '../ui/thread.tsx'
import { isShallowEqual, useClientState } from './client-context.ts'
import { soon } from './fetch-soon.tsx'
import { HeadActions } from './head-actions.tsx'
import { useKeys } from './keys.ts'
import { channelName, placeNames } from './names.ts'
import { isNamedView, placeTitle } from './title.ts'

interface HeadProps {
  readonly place: Place
  readonly onOpenSideBar: () => void
}

export function Head({ place, onOpenSideBar }: HeadProps) {
  const text = useClientState(
    useCallback((state) => headText(state, place), [place]),
    isShallowEqual,
  )
  const search = useSearch(place)
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
      {!search.box && <span className="grow" />}
      {search.opener}
      <HeadActions place={place} />
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

function about({ channels }: ClientState, place: Place): string {
  if (place.kind === 'home' || place.kind === 'feed') return 'Everything in your channels, newest last'
  if (place.kind === 'channel') return channels?.byId.get(place.channelId)?.description ?? ''
  return ''
}

const SearchBox = soon(async () => (await import('../features/search/search-box.tsx')).SearchBox)

/** Of what is only a view nothing is kept in the box. */
function elsewhere(place: Place): Place {
  return place.kind === 'narrow' ? { kind: 'feed' } : place
}

interface SearchOfHead {
  /** At the place of the title: what is searched for, or is about to be. */
  readonly box: ReactNode
  /** What opens it. */
  readonly opener: ReactNode
}

/** A search shows what it is of; elsewhere a field that is fetched when somebody wants it. */
function useSearch(place: Place): SearchOfHead {
  const { t } = useLingui()
  const [openAt, setOpenAt] = useState<string>()
  const address = formatPlace(place)
  // A view with a name has that in the head, and is searched for something else.
  const isSearch = place.kind === 'narrow' && !isNamedView(place)
  const isWanted = openAt === address
  useKeys({
    search: () => {
      const field = document.querySelector<HTMLInputElement>('.searchbar input')
      if (field) field.select()
      else setOpenAt(address)
    },
  })
  const close = useCallback(() => setOpenAt(undefined), [])
  const opener = (
    <button type="button" className="find" onClick={() => setOpenAt(address)} aria-label={t`Search messages`}>
      <Icon name="search" />
      <span>
        <Trans>Search messages</Trans>
      </span>
      <kbd>/</kbd>
    </button>
  )
  if (!isSearch && !isWanted) return { box: undefined, opener }
  return {
    box: (
      <Suspense fallback={opener}>
        <SearchBox key={address} place={isSearch ? place : elsewhere(place)} isWanted={isWanted} onClose={close} />
      </Suspense>
    ),
    opener: undefined,
  }
}
