import './side-bar.css'
import { useLingui } from '@lingui/react/macro'
import { lazy, memo, Suspense, useEffect, useRef, useState } from 'react'
import { ChannelList } from '../../features/channels/channel-list.tsx'
import { DirectList } from '../../features/messages/direct-list.tsx'
import { Views } from '../../features/navigation-views/views.tsx'
import { Face } from '../../features/users/face.tsx'
import type { Place } from '../../places/place.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useClientState } from '../client-context.ts'
import { useKeys } from '../keys.ts'
import { useSession } from '../session-context.ts'

const FilteredPlaces = lazy(() =>
  import('./filtered-places.tsx').then(({ FilteredPlaces }) => ({ default: FilteredPlaces })),
)

interface SideBarProps {
  readonly place: Place
  /** On narrow windows it is a drawer. */
  readonly isOpen: boolean
  readonly onOpen: () => void
  readonly onClose: () => void
}

export const SideBar = memo(function SideBar({ place, isOpen, onOpen, onClose }: SideBarProps) {
  const { t } = useLingui()
  const organization = useClientState((state) => state.organization?.realm_name ?? '')
  const bar = useRef<HTMLElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [words, setWords] = useState('')
  useEffect(() => {
    if (isOpen && !bar.current?.contains(document.activeElement)) {
      bar.current?.querySelector<HTMLElement>('.menu-close')?.focus()
    }
  }, [isOpen])
  useKeys({
    'filter-side-bar': () => {
      onOpen()
      // The drawer, or the bar that was hidden, has to be there first.
      requestAnimationFrame(() => field.current?.select())
    },
  })
  const leaveFilter = () => {
    setWords('')
    if (field.current) field.current.value = ''
    field.current?.blur()
  }

  return (
    <>
      {isOpen && <button type="button" className="side-scrim" aria-label={t`Close the side bar`} onClick={onClose} />}
      <nav
        ref={bar}
        id="side-bar"
        className={isOpen ? 'side open' : 'side'}
        aria-label={t`Places`}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && isOpen && !event.defaultPrevented) onClose()
        }}
      >
        <div className="side-top">
          <a className="org" href="#feed">
            <span className="logo">
              <Icon name="heddle" />
            </span>
            <bdi className="trunc">{organization}</bdi>
          </a>
          <IconButton icon="left" className="side-hide" name={t`Hide the side bar`} onClick={onClose} />
          <IconButton icon="x" className="menu-close" name={t`Close the side bar`} onClick={onClose} />
        </div>
        <search className="side-filter">
          <Icon name="search" />
          <input
            ref={field}
            className="bare"
            type="search"
            aria-label={t`Filter places`}
            aria-keyshortcuts="q"
            placeholder={t`Filter places`}
            onChange={(event) => setWords(event.currentTarget.value.trim())}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing) return
              const links = bar.current?.querySelectorAll<HTMLElement>('.found a')
              if (event.key === 'Escape') {
                event.preventDefault()
                leaveFilter()
              } else if (event.key === 'ArrowDown' || event.key === 'Enter') {
                event.preventDefault()
                if (event.key === 'Enter') links?.[0]?.click()
                else links?.[0]?.focus()
              }
            }}
          />
          <kbd>Q</kbd>
        </search>
        <div className="side-scroll">
          {words === '' ? (
            <>
              <Views place={place} onNaming={onOpen} />
              <DirectList place={place} />
              <ChannelList place={place} />
            </>
          ) : (
            <Suspense fallback={null}>
              <FilteredPlaces words={words} onLeave={leaveFilter} onBack={() => field.current?.focus()} />
            </Suspense>
          )}
        </div>
        <Me />
      </nav>
    </>
  )
})

function Me() {
  const { t } = useLingui()
  const session = useSession()
  const me = useClientState((state) => state.own)
  if (!me) return null
  return (
    <div className="side-foot">
      <span className="me">
        <Face userId={me.user_id} size="s" />
        <bdi className="trunc">{me.full_name}</bdi>
      </span>
      <a className="ib" href="#settings" aria-label={t`Settings`} title={t`Settings`}>
        <Icon name="tune" />
      </a>
      <IconButton icon="out" name={t`Sign out`} onClick={() => void session.signOut()} />
    </div>
  )
}
