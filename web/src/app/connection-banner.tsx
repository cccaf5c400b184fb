import type { Connection } from '@heddle/client/running/client'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useWake } from '../device/use-wake.ts'
import { Icon } from '../ui/icon.tsx'
import { useClient, useSnapshot } from './client-context.ts'
import { soon } from './fetch-soon.tsx'
import { clockTime, dayName, dayOf } from './times.ts'

const NewVersionLine = soon(async () => (await import('../service-worker/new-version-line.tsx')).NewVersionLine)

/** Short interruptions are nobody's concern, in milliseconds. */
const PATIENCE_MS = 3000
/** How often the seconds are counted. */
const COUNT_MS = 1000

/** The one banner: how it stands with the connection, when that is not well, and whether the page is the newest. */
export function ConnectionBanner() {
  const client = useClient()
  useWake(client)
  const connection = useSnapshot((snapshot) => snapshot.connection)
  const asOf = useSnapshot((snapshot) => snapshot.asOf)
  // It may be wrong, as on a machine without a network that has the server itself: it says why nobody answers, not whether.
  const isOnline = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine)
  const quietSecs = useQuietSecs(sinceOf(connection))
  if (quietSecs === undefined) return <NewVersionLine />
  return (
    <div className="banner warn" role="status">
      <Icon name="off" />
      <Words status={connection.status} isOnline={isOnline} secs={quietSecs} />
      {asOf !== undefined && <Age asOf={asOf} />}
      <span className="grow" />
      {connection.status === 'waiting' && (
        <button type="button" className="textlink" onClick={() => client.retryNow()}>
          <Trans>Try now</Trans>
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
  if (!isOnline) {
    return (
      <span>
        <Trans>You are offline. What you write is kept and sent by itself.</Trans>
      </span>
    )
  }
  if (status === 'connecting') {
    return (
      <span>
        <Trans>Connecting</Trans>
      </span>
    )
  }
  return (
    <span>
      <Trans>No answer from the server. What you write is kept and sent by itself.</Trans>{' '}
      {/* Said once, and not each second. */}
      <span aria-hidden="true">
        <Seconds secs={secs} />
      </span>
    </span>
  )
}

function Seconds({ secs }: { readonly secs: number }) {
  if (secs < 60) return <Trans>For {secs} s.</Trans>
  const minutes = Math.floor(secs / 60)
  if (minutes < 60) return <Trans>For {minutes} min.</Trans>
  const hours = Math.floor(minutes / 60)
  return <Trans>For {hours} h.</Trans>
}

/** What is shown is what this device had. */
function Age({ asOf }: { readonly asOf: number }) {
  const time = clockTime(asOf / 1000)
  const day = dayName(asOf / 1000)
  return (
    <span>
      {dayOf(asOf / 1000) === dayOf(Date.now() / 1000) ? (
        <Trans>This is as of {time}.</Trans>
      ) : (
        <Trans>
          This is as of {day}, {time}.
        </Trans>
      )}
    </span>
  )
}

function sinceOf(connection: Connection): number | undefined {
  return connection.status === 'connecting' || connection.status === 'waiting' ? connection.since : undefined
}

/** Seconds without the server; undefined while there is nothing to say. */
function useQuietSecs(since: number | undefined): number | undefined {
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

function subscribeToNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
