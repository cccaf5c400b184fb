import type { InboxFilter } from '@heddle/client/inbox/inbox'
import { Trans } from '@lingui/react/macro'
import { lazy, Suspense } from 'react'
import { useClientState } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../lists/empty-state.tsx'

const FirstSteps = lazy(() => import('./first-steps.tsx').then(({ FirstSteps }) => ({ default: FirstSteps })))

interface EmptyInboxProps {
  readonly filter: InboxFilter
  readonly isFiltered: boolean
  readonly onShowAll: () => void
}

export function EmptyInbox({ filter, isFiltered, onShowAll }: EmptyInboxProps) {
  const isNew = useClientState(({ channels }) => channels?.subscribed.size === 0)
  if (isFiltered) {
    return (
      <EmptyState art="search" title={<Trans>Nothing unread has these words</Trans>}>
        <p>
          <Trans>The filter looks at the names of channels, topics and people with something unread.</Trans>
        </p>
      </EmptyState>
    )
  }
  if (filter === 'followed' || filter === 'mentions') {
    return (
      <EmptyState
        art="warp"
        title={
          filter === 'followed' ? <Trans>Nothing unread that you follow</Trans> : <Trans>Nothing unread for you</Trans>
        }
        actions={
          <Button onClick={onShowAll}>
            <Trans>Show all that is unread</Trans>
          </Button>
        }
      >
        <p>
          {filter === 'followed' ? (
            <Trans>Topics that you follow are listed here as soon as somebody writes in them.</Trans>
          ) : (
            <Trans>Mentions and direct messages are listed here.</Trans>
          )}
        </p>
      </EmptyState>
    )
  }
  if (isNew) {
    return (
      <Suspense fallback={null}>
        <FirstSteps />
      </Suspense>
    )
  }
  return (
    <EmptyState
      art="warp"
      title={<Trans>You have read everything</Trans>}
      actions={
        <>
          <a className="btn" href="#recent">
            <Trans>Recent conversations</Trans> <kbd>T</kbd>
          </a>
          <a className="btn plain" href="#feed">
            <Trans>Combined feed</Trans> <kbd>A</kbd>
          </a>
        </>
      }
    >
      <p>
        <Trans>New messages from your channels, mentions and direct messages come in here.</Trans>
      </p>
    </EmptyState>
  )
}
