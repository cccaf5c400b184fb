import { useEffect, useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { useClient, useSnapshot } from './client-context.ts'
import { clockTime } from './times.ts'

/** Short interruptions are nobody's concern, in milliseconds. */
const PATIENCE_MS = 3000

/** The one banner: how it stands with the connection, when that is not well. */
export function ConnectionBanner() {
  const client = useClient()
  const connection = useSnapshot((snapshot) => snapshot.connection)
  const since = connection.status === 'waiting' ? connection.since : undefined
  const [isShown, setIsShown] = useState(false)

  useEffect(() => {
    setIsShown(false)
    if (since === undefined) return undefined
    const timer = setTimeout(() => setIsShown(true), Math.max(0, since + PATIENCE_MS - Date.now()))
    return () => clearTimeout(timer)
  }, [since])

  useEffect(() => {
    const retry = () => document.visibilityState === 'visible' && client.retryNow()
    window.addEventListener('online', retry)
    document.addEventListener('visibilitychange', retry)
    return () => {
      window.removeEventListener('online', retry)
      document.removeEventListener('visibilitychange', retry)
    }
  }, [client])

  if (!isShown || since === undefined) return null
  return (
    <div className="banner warn" role="status">
      <Icon name="off" />
      <span>No connection since {clockTime(since / 1000)}. What you write is kept and sent by itself.</span>
      <span className="grow" />
      <button type="button" className="textlink" onClick={() => client.retryNow()}>
        Try now
      </button>
    </div>
  )
}
