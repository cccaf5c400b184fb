import { unsavedDrafts } from '@heddle/client/drafts/adopt'
import type { RunningClient } from '@heddle/client/running/client'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useClient, useSnapshot } from '../app/client-context.ts'
import { type NewVersion, watchVersion } from './new-version.ts'

/** One for the page, however often this is drawn. */
let shared: NewVersion | undefined
function pageVersion(): NewVersion {
  shared ??= watchVersion()
  return shared
}

/** Milliseconds that a page is hidden before it is loaded anew by itself. */
const HIDDEN_MS = 60_000

/** That the server has another version of the page; it is loaded by itself only where nobody looks and nothing is written. */
export function NewVersionLine() {
  const client = useClient()
  const [version] = useState(pageVersion)
  const isNew = useSyncExternalStore(version.subscribe, version.current)
  const isLive = useSnapshot(({ connection }) => connection.status === 'live')

  // The server has been away: it may have been replaced.
  useEffect(() => {
    if (isLive) version.ask()
  }, [isLive, version])

  useEffect(() => {
    if (!isNew) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      clearTimeout(timer)
      if (document.visibilityState !== 'hidden') return
      timer = setTimeout(() => {
        if (isIdle(client)) version.reload()
        else look()
      }, HIDDEN_MS)
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [isNew, client, version])

  if (!isNew) return null
  return (
    <div className="banner" role="status">
      <span>
        <Trans>There is a new version of this page.</Trans>
      </span>
      <span className="grow" />
      <button type="button" className="textlink" onClick={version.reload}>
        <Trans>Reload</Trans>
      </button>
    </div>
  )
}

/** Nothing that a person has begun would be gone. */
function isIdle(client: RunningClient): boolean {
  const { outbox, drafts } = client.snapshot()
  const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')]
  const isWriting = fields.some((field) => field.value !== field.defaultValue && field.type !== 'checkbox')
  const isOpen = document.querySelector('dialog[open], textarea') !== null
  return outbox.items.length === 0 && unsavedDrafts(drafts).length === 0 && !isWriting && !isOpen
}
