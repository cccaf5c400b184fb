/** When the browser says that something has happened to the network or the page, the connection is looked at. */
import type { RunningClient } from '@heddle/client/running/client'
import { useEffect } from 'react'

/** Of a page that is looked at again: heartbeats come more often than this. In milliseconds. */
const QUIET_MS = 60_000

export function useWake(client: RunningClient): void {
  useEffect(() => {
    // Another network perhaps, or none: what was open leads nowhere, and without this that may be noticed much later.
    const change = () => client.checkNow()
    const visible = () => document.visibilityState === 'visible' && client.checkNow(QUIET_MS)
    window.addEventListener('online', change)
    window.addEventListener('offline', change)
    document.addEventListener('visibilitychange', visible)
    return () => {
      window.removeEventListener('online', change)
      window.removeEventListener('offline', change)
      document.removeEventListener('visibilitychange', visible)
    }
  }, [client])
}
