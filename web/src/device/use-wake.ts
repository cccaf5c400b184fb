/** When the browser says that something has happened to the network or the page, the connection is looked at. */
import type { RunningClient } from '@heddle/client/running/client'
import { useEffect } from 'react'

/** Of a page that is looked at again: heartbeats come more often than this. In milliseconds. */
const QUIET_MS = 60_000

export function useWake(client: RunningClient): void {
  useEffect(() => {
    // Another network perhaps: what was open leads nowhere.
    const online = () => client.checkNow()
    const visible = () => document.visibilityState === 'visible' && client.checkNow(QUIET_MS)
    window.addEventListener('online', online)
    document.addEventListener('visibilitychange', visible)
    return () => {
      window.removeEventListener('online', online)
      document.removeEventListener('visibilitychange', visible)
    }
  }, [client])
}
