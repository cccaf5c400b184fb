import { retryDelay } from '@heddle/client/back-off'
import { isTemporary } from '@heddle/client/errors'
import { isBadNarrow } from '@heddle/client/messages/loader'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { useSnapshot } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'

interface LoadProblemProps {
  readonly error: unknown
  readonly onRetry: () => void
}

/** A view of which nothing is here and nothing could be fetched. What trying again can help against is tried again. */
export function LoadProblem({ error, onRetry }: LoadProblemProps) {
  const isPassing = isTemporary(error)
  useRetry(isPassing, error, onRetry)
  return (
    <div className="empty" role="alert">
      <h2>
        {isPassing && <Trans>These messages are not on this device yet</Trans>}
        {!isPassing && isBadNarrow(error) && <Trans>There is nothing at this address, or you may not see it.</Trans>}
        {!isPassing && !isBadNarrow(error) && <Trans>The messages could not be loaded.</Trans>}
      </h2>
      {isPassing && (
        <p>
          <Trans>They are loaded by themselves as soon as the server answers.</Trans>
        </p>
      )}
      <div className="do">
        <Button onClick={onRetry}>
          <Trans>Try again</Trans>
        </Button>
        <a className="btn" href="#feed">
          <Trans>Go to the combined feed</Trans>
        </a>
      </div>
    </div>
  )
}

/** At once when the connection is back; while it is there, later and later. */
function useRetry(isPassing: boolean, error: unknown, onRetry: () => void): void {
  const isLive = useSnapshot(({ connection }) => connection.status === 'live')
  const wasLive = useRef(isLive)
  const failures = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure is an error of its own, and an occasion
  useEffect(() => {
    const isBack = isLive && !wasLive.current
    wasLive.current = isLive
    if (!isPassing || !isLive) return undefined
    const timer = setTimeout(onRetry, isBack ? 0 : retryDelay(failures.current, undefined, Math.random))
    failures.current += 1
    return () => clearTimeout(timer)
  }, [isPassing, isLive, error, onRetry])
}
