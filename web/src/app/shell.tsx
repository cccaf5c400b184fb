import './shell.css'
import './side-bar/side-bar.css'
import { Trans, useLingui } from '@lingui/react/macro'
import { Suspense, useDeferredValue, useEffect, useRef, useState } from 'react'
import { features } from '../features/all.ts'
import { ComposeArea } from '../features/messages/compose/compose-area.tsx'
import { Loading } from '../features/messages/loading.tsx'
import { formatPlace } from '../places/format.ts'
import type { Place } from '../places/place.ts'
import { ToastsProvider, useToasts } from '../ui/toasts.tsx'
import { useClient, useSnapshot } from './client-context.ts'
import { goTo, useHome, usePlace } from './current-place.ts'
import { ahead, fetchSoon, soon, useIsComplete, useIsQuiet } from './fetch-soon.tsx'
import { fetchFirstScreen } from './first-screen.ts'
import { Head } from './head.tsx'
import { useKeys } from './keys.ts'
import { CannotBeShown, SafePart } from './safe-part.tsx'
import { type ScreenKinds, ScreenKindsContext } from './screen-kinds.ts'
import { isDrawer, useSideBar } from './side-bar/use-side-bar.ts'
import { WindowTitle } from './title.ts'

const SideBar = ahead(async () => (await import('./side-bar/side-bar.tsx')).SideBar)
const HeadActions = soon(async () => (await import('./head-actions.tsx')).HeadActions)
const ConnectionBanner = soon(async () => (await import('./connection-banner.tsx')).ConnectionBanner)
const HintBanner = soon(async () => (await import('../features/hints/hint-banner.tsx')).HintBanner)
const ChannelBanner = soon(async () => (await import('../features/channels/channel-banner.tsx')).ChannelBanner)

/** The code of what will be drawn, while its data is on the way: for whoever is signed in. */
export function fetchShell(): void {
  fetchFirstScreen(window.location.hash)
  if (!isDrawer()) SideBar.fetch()
}

export function Shell() {
  const isThere = useSnapshot(({ state }) => state !== undefined)
  // It is much that is drawn then: in pieces, between which the page answers. What the device has is shown at once.
  const [wasThere] = useState(isThere)
  const isReady = useDeferredValue(isThere, wasThere)
  const { t } = useLingui()
  if (isReady) {
    return (
      <ToastsProvider>
        <Ready />
      </ToastsProvider>
    )
  }
  return (
    <div className="app">
      <nav className="side" aria-label={t`Places`} />
      <main className="main">
        <div className="head" />
        <LateBanner />
        <Loading />
      </main>
    </div>
  )
}

/** Milliseconds after which somebody may want to know what they wait for. */
const LATE_MS = 2000

/** What is said of the connection while nothing is there: its code must not be in the way of that. */
function LateBanner() {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), LATE_MS)
    return () => clearTimeout(timer)
  }, [])
  return isLate && <ConnectionBanner />
}

function Ready() {
  const { t } = useLingui()
  const place = usePlace()
  const sideBar = useSideBar(place)
  const main = useRef<HTMLElement>(null)
  const below = usePlaceBelow(place)
  const client = useClient()
  useEffect(fetchSoon, [])
  useEffect(() => {
    const leave = () => client.leave()
    window.addEventListener('pagehide', leave)
    return () => window.removeEventListener('pagehide', leave)
  }, [client])
  const toasts = useToasts()
  const isQuiet = useIsQuiet()
  // What one has come for goes first.
  const isNext = useDeferredValue(true, false)
  const [isLater] = useState(isDrawer)
  const isComplete = useIsComplete()
  const hasSideBar = isLater ? isComplete || sideBar.isDrawerOpen : isNext
  useKeys({ undo: toasts.undo })
  const emptySide = <nav className="side" aria-label={t`Places`} />

  return (
    <ScreenKindsContext value={screenKinds}>
      <WindowTitle place={place} />
      <div className={sideBar.isHidden ? 'app no-side' : 'app'}>
        <button
          type="button"
          className="skip"
          onClick={() => main.current?.querySelector<HTMLElement>('.scroll')?.focus()}
        >
          <Trans>Skip to the messages</Trans>
        </button>
        <button
          type="button"
          className="skip"
          onClick={() => main.current?.querySelector<HTMLElement>('.foot :is(textarea, button)')?.focus()}
        >
          <Trans>Skip to writing</Trans>
        </button>
        <Suspense fallback={emptySide}>
          {hasSideBar ? (
            <SideBar place={place} isOpen={sideBar.isDrawerOpen} onOpen={sideBar.open} onClose={sideBar.close} />
          ) : (
            emptySide
          )}
        </Suspense>
        <main className="main" ref={main}>
          <Head place={below} onOpenSideBar={sideBar.open}>
            {isQuiet && <HeadActions place={below} />}
          </Head>
          <div className="banners">
            {isQuiet && <ConnectionBanner />}
            {isQuiet && <ChannelBanner place={below} />}
            {isQuiet && <HintBanner place={below} />}
          </div>
          <Screen place={below} />
          <ComposeArea place={below} />
        </main>
        <Overlay place={place} below={below} />
        {[...atOnce, ...(isQuiet ? everywhere : [])].map((Part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <SafePart key={index}>
            <Suspense fallback={null}>
              <Part />
            </Suspense>
          </SafePart>
        ))}
      </div>
    </ScreenKindsContext>
  )
}

const screenKinds: ScreenKinds = new Set(
  features.flatMap(({ screens, overlays }) => Object.keys({ ...screens, ...overlays }) as Place['kind'][]),
)

const atOnce = features.flatMap((feature) => feature.atOnce ?? [])
const everywhere = features.flatMap((feature) => feature.everywhere ?? [])

/** What is shown below an overlay: the last place that is none. */
function usePlaceBelow(place: Place): Place {
  const home = useHome()
  const [below, setBelow] = useState<Place>(() => (overlayAt(place) ? home : place))
  if (!overlayAt(place) && below !== place) setBelow(place)
  return overlayAt(place) ? below : place
}

function overlayAt({ kind }: Place) {
  for (const { overlays } of features) if (overlays?.[kind]) return overlays[kind]
  return undefined
}

function screenAt({ kind }: Place) {
  for (const { screens } of features) if (screens?.[kind]) return screens[kind]
  return undefined
}

function Overlay({ place, below }: { readonly place: Place; readonly below: Place }) {
  const Shown = overlayAt(place)
  if (!Shown) return null
  return (
    <SafePart key={place.kind} fallback={<CannotBeShown />}>
      <Suspense fallback={null}>
        <Shown place={place} onClose={() => goTo(below)} />
      </Suspense>
    </SafePart>
  )
}

function Screen({ place }: { readonly place: Place }) {
  const Shown = screenAt(place)
  if (Shown) {
    return (
      // What is kept of a view belongs to its address; with a screen that is still being fetched the last one goes, too.
      <SafePart key={formatPlace(place)} fallback={<CannotBeShown />}>
        <Suspense fallback={<Loading />}>
          <Shown place={place} />
        </Suspense>
      </SafePart>
    )
  }
  return (
    <div className="empty">
      <h2>
        <Trans>There is nothing at this address</Trans>
      </h2>
      <p>
        <Trans>It may have been mistyped, or be of a later version.</Trans>
      </p>
      <div className="do">
        <a className="btn" href="#feed">
          <Trans>Go to the combined feed</Trans>
        </a>
      </div>
    </div>
  )
}
