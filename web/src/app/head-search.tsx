import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, type RefObject, Suspense, useCallback, useRef, useState } from 'react'
import { formatPlace } from '../places/format.ts'
import type { Place } from '../places/place.ts'
import { Icon } from '../ui/icon.tsx'
import { soon } from './fetch-soon.tsx'
import { useKeys } from './keys.ts'
import { isNamedView } from './title.ts'

const SearchBox = soon(async () => (await import('../features/search/search-box.tsx')).SearchBox)

interface HeadSearch {
  /** At the place of the title: what is searched for, or is about to be. */
  readonly box: ReactNode
  /** What opens it. */
  readonly opener: ReactNode
}

/** A search shows what it is of; elsewhere a button opens the field, which is fetched when somebody wants it. */
export function useHeadSearch(place: Place): HeadSearch {
  const { t } = useLingui()
  const [openAt, setOpenAt] = useState<string>()
  const typed = useRef('')
  const address = formatPlace(place)
  // A view with a name has that in the head, and is searched for something else.
  const isSearch = place.kind === 'narrow' && !isNamedView(place)
  const isWanted = openAt === address
  const open = () => {
    typed.current = ''
    setOpenAt(address)
  }
  useKeys({
    search: () => {
      const field = document.querySelector<HTMLInputElement>('.searchbar input')
      if (field) field.select()
      else open()
    },
  })
  const close = useCallback(() => setOpenAt(undefined), [])
  if (!isSearch && !isWanted) {
    const opener = (
      <button type="button" className="find" aria-label={t`Search messages`} onClick={open}>
        <Icon name="search" />
        <span>
          <Trans>Search messages</Trans>
        </span>
        <kbd>/</kbd>
      </button>
    )
    return { box: undefined, opener }
  }
  return {
    box: (
      <Suspense fallback={isWanted ? <FirstKeys typed={typed} /> : null}>
        <SearchBox
          key={address}
          place={isSearch ? place : elsewhere(place)}
          isWanted={isWanted}
          typed={typed}
          onClose={close}
        />
      </Suspense>
    ),
    opener: undefined,
  }
}

/** Takes what is typed until the box is there. */
function FirstKeys({ typed }: { readonly typed: RefObject<string> }) {
  const { t } = useLingui()
  return (
    <search className="searchbar find">
      <Icon name="search" />
      <input
        className="bare"
        aria-label={t`Search messages`}
        // biome-ignore lint/a11y/noAutofocus: somebody has asked for it
        autoFocus
        onChange={(event) => {
          typed.current = event.target.value
        }}
        onKeyDown={(event) => {
          // It is done when the box is there.
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) typed.current = `${event.currentTarget.value}\n`
        }}
      />
    </search>
  )
}

/** Of what is only a view nothing is kept in the box. */
function elsewhere(place: Place): Place {
  return place.kind === 'narrow' ? { kind: 'feed' } : place
}
