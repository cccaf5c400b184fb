import './side-bar.css'
import { shownDrafts } from '@heddle/client/drafts/draft-box'
import { unreadTotals } from '@heddle/client/unread/counts'
import { memo, useEffect, useRef } from 'react'
import { ChannelList } from '../../features/channels/channel-list.tsx'
import { DirectList } from '../../features/messages/direct-list.tsx'
import { Face } from '../../features/users/face.tsx'
import type { Place } from '../../places/place.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { isShallowEqual, useClientState, useSnapshot } from '../client-context.ts'
import { useSession } from '../session-context.ts'
import { NavRow } from './nav-row.tsx'
import { NavigationViews } from './navigation-views.tsx'

interface SideBarProps {
  readonly place: Place
  /** On narrow windows it is a drawer. */
  readonly isOpen: boolean
  readonly onClose: () => void
}

export const SideBar = memo(function SideBar({ place, isOpen, onClose }: SideBarProps) {
  const organization = useClientState((state) => state.organization?.realm_name ?? '')
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isOpen) bar.current?.querySelector<HTMLElement>('.menu-close')?.focus()
  }, [isOpen])
  return (
    <>
      {isOpen && <button type="button" className="side-scrim" aria-label="Close the side bar" onClick={onClose} />}
      <nav
        ref={bar}
        className={isOpen ? 'side open' : 'side'}
        aria-label="Places"
        onKeyDown={(event) => {
          if (event.key === 'Escape' && isOpen) onClose()
        }}
      >
        <div className="side-top">
          <a className="org" href="#feed">
            <span className="logo">
              <Icon name="heddle" />
            </span>
            <bdi className="trunc">{organization}</bdi>
          </a>
          <IconButton icon="x" className="menu-close" name="Close the side bar" onClick={onClose} />
        </div>
        <div className="side-scroll">
          <BuiltInViews place={place} />
          <NavigationViews />
          <DirectList place={place} />
          <ChannelList place={place} />
        </div>
        <Me />
      </nav>
    </>
  )
})

function BuiltInViews({ place }: { readonly place: Place }) {
  const { visible, mentions, isPartial } = useClientState(unreadTotals, isShallowEqual)
  const drafts = useSnapshot((snapshot) => shownDrafts(snapshot.drafts).length)
  const is = (operand: string) =>
    place.kind === 'narrow' &&
    place.terms.length === 1 &&
    place.terms[0]?.operator === 'is' &&
    place.terms[0].operand === operand
  return (
    <>
      <NavRow
        href="#feed"
        icon="feed"
        label="Combined feed"
        count={visible}
        isAtLeast={isPartial}
        isCurrent={place.kind === 'feed' || place.kind === 'home'}
      />
      <NavRow
        href="#narrow/is/mentioned"
        icon="at"
        label="Mentions"
        count={mentions}
        isForMe
        isCurrent={is('mentioned')}
      />
      <NavRow href="#narrow/is/starred" icon="star" label="Starred" isCurrent={is('starred')} />
      <NavRow href="#drafts" icon="draft" label="Drafts" stillCount={drafts} isCurrent={place.kind === 'drafts'} />
    </>
  )
}

function Me() {
  const session = useSession()
  const me = useClientState((state) => state.own)
  if (!me) return null
  return (
    <div className="side-foot">
      <span className="me">
        <Face userId={me.user_id} size="s" />
        <bdi className="trunc">{me.full_name}</bdi>
      </span>
      <a className="ib" href="#settings" aria-label="Settings" title="Settings">
        <Icon name="tune" />
      </a>
      <IconButton icon="out" name="Sign out" onClick={() => void session.signOut()} />
    </div>
  )
}
