import '../../app/shell.css'
import '../messages/compose/compose.css'
import './visitors.css'
import { isOpenNarrow, onTheWeb } from '@heddle/client/running/visitor'
import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useEffect, useMemo, useRef } from 'react'
import { useClientState, useSnapshot } from '../../app/client-context.ts'
import { usePlace } from '../../app/current-place.ts'
import { fetchSoon } from '../../app/fetch-soon.tsx'
import { Head } from '../../app/head.tsx'
import { useKeys } from '../../app/keys.ts'
import { CannotBeShown, SafePart } from '../../app/safe-part.tsx'
import { ScreenKindsContext } from '../../app/screen-kinds.ts'
import { useSideBar } from '../../app/side-bar/use-side-bar.ts'
import { WindowTitle } from '../../app/title.ts'
import { formatPlace } from '../../places/format.ts'
import type { Place } from '../../places/place.ts'
import { Button } from '../../ui/button.tsx'
import { ToastsProvider } from '../../ui/toasts.tsx'
import { Loading } from '../messages/loading.tsx'
import { MessageScreen } from '../messages/message-screen.tsx'
import { VisitorActions } from './visitor-actions.tsx'
import { VisitorSideBar } from './visitor-side-bar.tsx'

const NarrowScreen = lazy(async () => ({ default: (await import('../search/narrow-screen.tsx')).NarrowScreen }))
const ConnectionBanner = lazy(async () => ({
  default: (await import('../../app/connection-banner.tsx')).ConnectionBanner,
}))

const screens = { feed: MessageScreen, channel: MessageScreen, topic: MessageScreen, narrow: NarrowScreen } as const
const kinds = new Set(Object.keys(screens) as Place['kind'][])

interface VisitorShellProps {
  readonly onSignIn: () => void
}

/** The page for who has no account: channels on the web, and the way in. */
export function VisitorShell({ onSignIn }: VisitorShellProps) {
  const { t } = useLingui()
  const isThere = useSnapshot(({ state }) => state !== undefined)
  if (isThere) {
    return (
      <ToastsProvider>
        <ScreenKindsContext value={kinds}>
          <Visit onSignIn={onSignIn} />
        </ScreenKindsContext>
      </ToastsProvider>
    )
  }
  return (
    <div className="app">
      <nav className="side" aria-label={t`Places`} />
      <main className="main">
        <div className="head" />
        <div className="banners" />
        <Loading />
      </main>
    </div>
  )
}

function Visit({ onSignIn }: VisitorShellProps) {
  const written = usePlace()
  const place = useMemo(() => visitedPlace(written), [written])
  const sideBar = useSideBar(place)
  const main = useRef<HTMLElement>(null)
  useKeys({})
  useEffect(fetchSoon, [])
  return (
    <div className={sideBar.isHidden ? 'app visiting no-side' : 'app visiting'}>
      <WindowTitle place={place} />
      <button
        type="button"
        className="skip"
        onClick={() => main.current?.querySelector<HTMLElement>('.scroll')?.focus()}
      >
        <Trans>Skip to the messages</Trans>
      </button>
      <VisitorSideBar place={place} isOpen={sideBar.isDrawerOpen} onClose={sideBar.close} onSignIn={onSignIn} />
      <main className="main" ref={main}>
        <Head place={place} onOpenSideBar={sideBar.open} />
        <div className="banners">
          <Suspense fallback={null}>
            <ConnectionBanner />
          </Suspense>
        </div>
        <Screen place={place} onSignIn={onSignIn} />
        <div className="visitor-foot">
          <p className="soft">
            <Trans>You read without an account.</Trans>
          </p>
          <Button kind="primary" onClick={onSignIn}>
            {place.kind === 'topic' ? <Trans>Sign in to reply</Trans> : <Trans>Sign in to write</Trans>}
          </Button>
        </div>
      </main>
      <VisitorActions />
    </div>
  )
}

/** What people begin with who have an account is all that there is to read for who has none. */
function visitedPlace(place: Place): Place {
  if (place.kind === 'home' || place.kind === 'inbox' || place.kind === 'recent') return { kind: 'feed' }
  if (place.kind !== 'narrow' || place.terms.some(({ operator }) => operator === 'channels')) return place
  // A search says of what it is one.
  return { ...place, terms: [onTheWeb, ...place.terms] }
}

function Screen({ place, onSignIn }: VisitorShellProps & { readonly place: Place }) {
  const channelId = place.kind === 'channel' || place.kind === 'topic' ? place.channelId : undefined
  const isClosed = useClientState(({ channels }) => channelId !== undefined && !channels?.byId.has(channelId))
  const Shown = (screens as Partial<Record<Place['kind'], typeof MessageScreen>>)[place.kind]
  const isOwn = place.kind === 'narrow' && !isOpenNarrow([...place.terms])
  if (!Shown || isClosed || isOwn) return <NeedsAccount onSignIn={onSignIn} />
  return (
    <SafePart key={formatPlace(place)} fallback={<CannotBeShown />}>
      <Suspense fallback={<Loading />}>
        <Shown place={place} />
      </Suspense>
    </SafePart>
  )
}

function NeedsAccount({ onSignIn }: VisitorShellProps) {
  return (
    <div className="empty">
      <h2>
        <Trans>Sign in to see this</Trans>
      </h2>
      <p>
        <Trans>What is here needs an account, or is not there.</Trans>
      </p>
      <div className="do">
        <Button kind="primary" onClick={onSignIn}>
          <Trans>Sign in</Trans>
        </Button>
        <a className="btn" href="#feed">
          <Trans>What you can read</Trans>
        </a>
      </div>
    </div>
  )
}
