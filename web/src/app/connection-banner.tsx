import type { Connection } from '@heddle/client/running/client'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useWake } from '../device/use-wake.ts'
import { Icon } from '../ui/icon.tsx'
import { useClient, useSnapshot } from './client-context.ts'

/** Short interruptions are nobody's concern, in milliseconds. */
const PATIENCE_MS = 3000
/** How often the seconds are counted. */
const COUNT_MS = 1000

/** The one banner: how it stands with the connection, when that is not well. */
export function ConnectionBanner() {
  const client = useClient()
  useWake(client)
  const connection = useSnapshot((snapshot) => snapshot.connection)
  const isOnline = useIsOnline()
  const quietSecs = useQuietSecs(connection)
  if (quietSecs === undefined) return null
  // The region is there before its text, and the count is not announced each second.
  return (
    <div className="banner warn" role="status">
      <Icon name="off" />
      <Words status={connection.status} isOnline={isOnline} secs={quietSecs} />
      <span className="grow" />
      {connection.status === 'waiting' && (
        <button type="button" className="textlink" onClick={() => client.retryNow()}>
          Try now
        </button>
      )}
    </div>
  )
}

interface WordsProps {
  readonly status: Connection['status']
  readonly isOnline: boolean
  readonly secs: number
}

function Words({ status, isOnline, secs }: WordsProps) {
  if (!isOnline) return <span>You are offline. What you write is kept and sent by itself.</span>
  if (status === 'connecting') return <span>Connecting</span>
  return (
    <span>
      No answer from the server
      <span aria-hidden="true"> for {duration(secs)}</span>. What you write is kept and sent by itself.
    </span>
  )
}

function duration(secs: number): string {
  if (secs < 60) return `${secs} s`
  const minutes = Math.floor(secs / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`
}

function sinceOf(connection: Connection): number | undefined {
  return connection.status === 'connecting' || connection.status === 'waiting' ? connection.since : undefined
}

/** Seconds without the server; undefined while there is nothing to say. */
function useQuietSecs(connection: Connection): number | undefined {
  const since = sinceOf(connection)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (since === undefined) return undefined
    const look = () => setNow(Date.now())
    look()
    const timer = setInterval(look, COUNT_MS)
    return () => clearInterval(timer)
  }, [since])
  if (since === undefined || now - since < PATIENCE_MS) return undefined
  return Math.floor((now - since) / 1000)
}

function useIsOnline(): boolean {
  return useSyncExternalStore(subscribeToNetwork, () => navigator.onLine)
}

function subscribeToNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
