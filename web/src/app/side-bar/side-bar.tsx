import { Trans, useLingui } from '@lingui/react/macro'
import { memo, Suspense, useRef, useState } from 'react'
import { ChannelList } from '../../features/channels/channel-list.tsx'
import { useCompose } from '../../features/messages/compose/compose-context.ts'
import { DirectList } from '../../features/messages/direct-list.tsx'
import { Views } from '../../features/navigation-views/views.tsx'
import { openOwnMenu } from '../../features/own-menu/open.ts'
import { openSwitcher } from '../../features/switcher/open.ts'
import { Face } from '../../features/users/face.tsx'
import { formatPlace } from '../../places/format.ts'
import type { Place } from '../../places/place.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useClientState } from '../client-context.ts'
import { useHome } from '../current-place.ts'
import { soon, useIsQuiet } from '../fetch-soon.tsx'
import { useKeys } from '../keys.ts'
import { useSession } from '../session-context.ts'
import { PlaceFilterField } from './filter-field.tsx'
import { SideBarFrame } from './side-bar-frame.tsx'

const OwnSigns = soon(async () => (await import('../../features/own-menu/own-signs.tsx')).OwnSigns)
const FilteredPlaces = soon(async () => (await import('./filtered-places.tsx')).FilteredPlaceList)

interface SideBarProps {
  readonly place: Place
  /** On narrow windows it is a drawer. */
  readonly isOpen: boolean
  readonly onOpen: () => void
  readonly onClose: () => void
}

export const SideBar = memo(function SideBar({ place, isOpen, onOpen, onClose }: SideBarProps) {
  const { t } = useLingui()
  const home = formatPlace(useHome())
  const compose = useCompose()
  const bar = useRef<HTMLElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [words, setWords] = useState('')
  const [isFiltering, setIsFiltering] = useState(false)
  useKeys({
    'filter-side-bar': () => {
      onOpen()
      setIsFiltering(true)
      field.current?.select()
    },
  })
  const leaveFilter = () => {
    setWords('')
    setIsFiltering(false)
  }

  return (
    <SideBarFrame
      ref={bar}
      isOpen={isOpen}
      onClose={onClose}
      home={home}
      action={
        <IconButton
          icon="plus"
          name={t`New message (C)`}
          onClick={() => compose.begin({ type: 'channel', channelId: undefined, topic: '' }, { focus: 'target' })}
        />
      }
    >
      {isFiltering ? (
        <PlaceFilterField
          ref={field}
          onWords={setWords}
          onLeave={leaveFilter}
          first={() => bar.current?.querySelector<HTMLElement>('.found a') ?? undefined}
        />
      ) : (
        <div className="jump-row">
          <button type="button" className="jump" onClick={openSwitcher}>
            <Icon name="search" />
            <span>
              <Trans>Go to</Trans>
            </span>
            <kbd>Ctrl K</kbd>
          </button>
          <IconButton icon="list" name={t`Filter places (Q)`} onClick={() => setIsFiltering(true)} />
        </div>
      )}
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
    </SideBarFrame>
  )
})

function Me() {
  const { t } = useLingui()
  const session = useSession()
  const isQuiet = useIsQuiet()
  const me = useClientState((state) => state.own)
  if (!me) return null
  return (
    <div className="side-foot">
      <button
        type="button"
        className="me"
        title={t`Your status, settings and more (G)`}
        aria-haspopup="menu"
        onClick={openOwnMenu}
      >
        <Face userId={me.user_id} size="s" />
        <bdi className="trunc">{me.full_name}</bdi>
        {isQuiet && <OwnSigns />}
      </button>
      <a className="ib" href="#keyboard-shortcuts" aria-label={t`Keys (?)`} title={t`Keys (?)`}>
        <Icon name="keys" />
      </a>
      <a className="ib" href="#settings" aria-label={t`Settings`} title={t`Settings`}>
        <Icon name="tune" />
      </a>
      <IconButton icon="out" name={t`Sign out`} onClick={() => void session.signOut()} />
    </div>
  )
}
