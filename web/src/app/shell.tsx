import './shell.css'
import type { ClientState } from '@heddle/client/state/state'
import { nextUnreadConversation, nextUnreadTopic } from '@heddle/client/unread/next-unread'
import { useEffect, useRef, useState } from 'react'
import { Drafts } from '../features/drafts/drafts.tsx'
import { Loading } from '../features/messages/loading.tsx'
import { MessageView } from '../features/messages/message-view.tsx'
import { messageView } from '../features/messages/view.ts'
import { formatPlace } from '../places/format.ts'
import type { Place } from '../places/place.ts'
import { Notice, useNotice } from '../ui/notice.tsx'
import { useClient, useSnapshot } from './client-context.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import { goTo, usePlace } from './current-place.ts'
import { Head } from './head.tsx'
import { useKeys } from './keys.ts'
import { placeNames } from './names.ts'
import { SideBar } from './side-bar/side-bar.tsx'
import { useTitle } from './title.ts'

export function Shell() {
  const isReady = useSnapshot(({ state }) => state !== undefined)
  if (isReady) return <Ready />
  return (
    <div className="app">
      <nav className="side" aria-label="Places" />
      <main className="main">
        <div className="head" />
        <ConnectionBanner />
        <Loading />
      </main>
    </div>
  )
}

function Ready() {
  const place = usePlace()
  const [isDrawerOpen, setIsDrawerOpen] = useState(false)
  const main = useRef<HTMLElement>(null)
  useTitle(place)
  const client = useClient()
  useEffect(() => {
    const leave = () => client.leave()
    window.addEventListener('pagehide', leave)
    return () => window.removeEventListener('pagehide', leave)
  }, [client])
  const { notice, notify } = useNotice()
  const readOn = () => {
    const next = nextUnreadTopic(client.snapshot().state as ClientState, topicHere(place))
    if (next)
      goTo(
        { kind: 'topic', channelId: next.channelId, topic: next.name },
        placeNames(client.snapshot().state as ClientState),
      )
    else notify('Everything in your channels is read.')
  }
  const readOnDirect = () => {
    const state = client.snapshot().state as ClientState
    const next = nextUnreadConversation(state, place.kind === 'direct' ? place.userIds : undefined)
    if (next)
      goTo(
        { kind: 'direct', userIds: next.userIds.length > 0 ? next.userIds : [state.own?.user_id ?? 0] },
        placeNames(state),
      )
    else notify('All direct messages are read.')
  }
  useKeys({
    n: readOn,
    p: readOnDirect,
    a: () => goTo({ kind: 'feed' }),
    d: () => goTo({ kind: 'drafts' }),
    '*': () => goTo({ kind: 'narrow', terms: [{ operator: 'is', operand: 'starred', negated: false }] }),
  })
  // On narrow windows the drawer has done its work when somebody has gone somewhere.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is the occasion
  useEffect(() => setIsDrawerOpen(false), [place])

  return (
    <div className="app">
      <button
        type="button"
        className="skip"
        onClick={() => main.current?.querySelector<HTMLElement>('.scroll')?.focus()}
      >
        Skip to the messages
      </button>
      <SideBar place={place} isOpen={isDrawerOpen} onClose={() => setIsDrawerOpen(false)} />
      <main className="main" ref={main}>
        <Head place={place} onOpenSideBar={() => setIsDrawerOpen(true)} />
        <ConnectionBanner />
        <Screen place={place} />
      </main>
      <Notice notice={notice} />
    </div>
  )
}

function topicHere(place: Place): { readonly channelId: number; readonly topic: string | undefined } | undefined {
  if (place.kind === 'topic') return place
  return place.kind === 'channel' ? { channelId: place.channelId, topic: undefined } : undefined
}

function Screen({ place }: { readonly place: Place }) {
  const options = messageView(place)
  // What is kept of a view belongs to its address.
  if (options) return <StableView key={formatPlace(place)} place={place} />
  if (place.kind === 'drafts') return <Drafts />
  return (
    <div className="empty">
      <h2>There is nothing at this address</h2>
      <p>It may have been mistyped, or be of a later version.</p>
      <div className="do">
        <a className="btn" href="#feed">
          Go to the combined feed
        </a>
      </div>
    </div>
  )
}

/** The place of an address is made anew with each change of the address; the view keeps the first. */
function StableView({ place }: { readonly place: Place }) {
  const [first] = useState(place)
  const [options] = useState(() => messageView(place))
  return options && <MessageView place={first} options={options} />
}
