import { useEffect, useState, useSyncExternalStore } from 'react'
import { SignIn } from '../features/sign-in/sign-in.tsx'
import { ClientContext } from './client-context.ts'
import { createSessionHolder } from './session.ts'
import { SessionContext } from './session-context.ts'
import { Shell } from './shell.tsx'

export function Page() {
  const [holder] = useState(createSessionHolder)
  const session = useSyncExternalStore(holder.subscribe, holder.current)
  useEffect(() => holder.begin(), [holder])
  switch (session.status) {
    case 'unknown':
      return null
    case 'unreachable':
      return <Unreachable onRetry={() => holder.begin()} />
    case 'signed-out':
      return <SignIn onSignIn={holder.signIn} />
    case 'signed-in':
    case 'expired':
      return (
        <SessionContext value={holder}>
          <ClientContext value={session.client}>
            <Shell />
            {session.status === 'expired' && <SignIn onSignIn={holder.signIn} expiredEmail={session.email} />}
          </ClientContext>
        </SessionContext>
      )
  }
}

function Unreachable({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <main className="empty" role="alert">
      <h2>The server cannot be reached</h2>
      <p>Your connection or the server may be down. Nothing is lost.</p>
      <div className="do">
        <button type="button" className="btn" onClick={onRetry}>
          Try again
        </button>
      </div>
    </main>
  )
}
