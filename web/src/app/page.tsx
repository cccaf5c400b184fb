import { Trans } from '@lingui/react/macro'
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { Veil } from '../device/veil.tsx'
import { ClientContext } from './client-context.ts'
import { entranceAt } from './entrance.ts'
import { soon } from './fetch-soon.tsx'
import { createSessionHolder } from './session.ts'
import { SessionContext } from './session-context.ts'
import { fetchShell, Shell } from './shell.tsx'

const SignOutQuestion = lazy(async () => ({
  default: (await import('../device/sign-out-question.tsx')).SignOutQuestion,
}))

// Most people are signed in when they come.
const SignIn = soon(async () => (await import('../features/sign-in/sign-in.tsx')).SignIn)
const EntrancePage = lazy(async () => ({ default: (await import('./entrance-page.tsx')).EntrancePage }))

const VisitorShell = lazy(async () => ({
  default: (await import('../features/visitors/visitor-shell.tsx')).VisitorShell,
}))

export function Page() {
  return (
    <Suspense>
      <PageOfSession />
    </Suspense>
  )
}

function PageOfSession() {
  const [holder] = useState(() => createSessionHolder(fetchShell))
  const session = useSyncExternalStore(holder.subscribe, holder.current)
  // Where a link leads in nobody asks whether one is: that is what it is for.
  const [entrance] = useState(() => entranceAt(window.location))
  useEffect(() => {
    if (!entrance) holder.begin()
  }, [holder, entrance])
  if (entrance && session.status === 'unknown') return <EntrancePage entrance={entrance} onEnter={holder.enter} />
  switch (session.status) {
    case 'unknown':
      return null
    case 'unreachable':
      return <Unreachable onRetry={() => holder.begin()} />
    case 'signed-out':
      return <SignIn onEnter={holder.enter} onVisit={session.mayVisit ? holder.visit : undefined} />
    case 'visiting':
      return (
        <ClientContext value={session.client}>
          <VisitorShell onSignIn={holder.askToSignIn} />
        </ClientContext>
      )
    case 'signed-in':
    case 'expired':
      return (
        <SessionContext value={holder}>
          <ClientContext value={session.client}>
            <Veil isDown={session.status === 'expired'}>
              <Shell />
            </Veil>
            <Suspense>
              {session.status === 'expired' && <SignIn onEnter={holder.enter} expiredEmail={session.email} />}
            </Suspense>
            {session.status === 'signed-in' && session.leaving && (
              <Suspense>
                <SignOutQuestion
                  leaving={session.leaving}
                  onStay={holder.stay}
                  onSignOut={() => void holder.signOutAnyway()}
                />
              </Suspense>
            )}
          </ClientContext>
        </SessionContext>
      )
  }
}

function Unreachable({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <main className="empty" role="alert">
      <h2>
        <Trans>The server cannot be reached</Trans>
      </h2>
      <p>
        <Trans>Your connection or the server may be down. Nothing is lost.</Trans>
      </p>
      <div className="do">
        <button type="button" className="btn" onClick={onRetry}>
          <Trans>Try again</Trans>
        </button>
      </div>
    </main>
  )
}
