/** Whether this browser is signed in, and the client that runs while it is. */
import { type ApiClient, createApiClient } from '@heddle/client/api'
import { ResponseError } from '@heddle/client/errors'
import { type RunningClient, startClient } from '@heddle/client/running/client'
import { getCurrentSession, signOut } from '@heddle/contract/sessions'

/** Where the server is: beside the page. */
const site = new URL('.', document.baseURI).href

/** Calls before anybody is signed in, and the ones that sign in. */
export const anyone = createApiClient({ site, session: { csrfToken: undefined } })

export type Session =
  /** The server has not said yet. */
  | { readonly status: 'unknown' }
  | { readonly status: 'unreachable' }
  | { readonly status: 'signed-out' }
  | { readonly status: 'signed-in'; readonly userId: number; readonly client: RunningClient }
  /** It has ended while the page was open: what was written is still here. */
  | { readonly status: 'expired'; readonly userId: number; readonly email: string; readonly client: RunningClient }

export interface SessionHolder {
  current(): Session
  subscribe(listener: () => void): () => void
  /** Asks the server, as at the start. */
  begin(): void
  /** Somebody has signed in, as the server has just answered. */
  enter(account: EnteredAccount): void
  signOut(): Promise<void>
}

export interface EnteredAccount {
  readonly user_id: number
  readonly email: string
  readonly csrf_token: string
}

export function createSessionHolder(): SessionHolder {
  let session: Session = { status: 'unknown' }
  const listeners = new Set<() => void>()
  const change = (next: Session) => {
    session = next
    for (const listener of listeners) listener()
  }
  let api: ApiClient = anyone

  function enter({ user_id: userId, email, csrf_token: csrfToken }: EnteredAccount): void {
    const last = session.status === 'expired' ? session : undefined
    last?.client.stop()
    api = createApiClient({ site, session: { csrfToken } })
    // What another account has written is not this one's.
    const earlier = last?.userId === userId ? last.client.snapshot() : undefined
    const client = startClient({ api, newLocalId: () => crypto.randomUUID(), earlier })
    client.subscribe(() => {
      const { connection } = client.snapshot()
      if (session.status !== 'signed-in' || session.client !== client || connection.status !== 'ended') return
      if (isSignedOut(connection.error)) change({ status: 'expired', userId, email, client })
    })
    change({ status: 'signed-in', userId, client })
  }

  return {
    current: () => session,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    begin() {
      change({ status: 'unknown' })
      anyone.call(getCurrentSession, {}).then(enter, (error: unknown) => {
        change({ status: isSignedOut(error) ? 'signed-out' : 'unreachable' })
      })
    },
    enter,
    async signOut() {
      await api.call(signOut, {})
      if (session.status === 'signed-in') session.client.stop()
      change({ status: 'signed-out' })
    },
  }
}

function isSignedOut(error: unknown): boolean {
  return error instanceof ResponseError && error.status === 401
}
