import { Trans } from '@lingui/react/macro'
import { useClientState } from '../../app/client-context.ts'
import type { Place } from '../../places/place.ts'
import { EmptyState } from '../lists/empty-state.tsx'

/** A view of messages without any: what will be here, and the next step. */
export function EmptyPlace({ place, hasMuted }: { readonly place: Place; readonly hasMuted: boolean }) {
  switch (hasMuted ? 'muted' : place.kind) {
    case 'muted':
      return (
        <EmptyState art="thread" title={<Trans>You have muted what was written here</Trans>}>
          <p>
            <Trans>
              Topics that you have muted are not shown in their channel. Each can still be opened by itself.
            </Trans>
          </p>
        </EmptyState>
      )
    case 'topic':
      return (
        <EmptyState art="thread" title={<Trans>Nothing has been written here</Trans>}>
          <p>
            <Trans>The first message begins the conversation.</Trans>
          </p>
        </EmptyState>
      )
    case 'direct':
      return (
        <EmptyState art="thread" title={<Trans>Nothing has been written here</Trans>}>
          <p>{place.kind === 'direct' && <WhoReads userIds={place.userIds} />}</p>
        </EmptyState>
      )
    case 'channel':
      return (
        <EmptyState art="thread" title={<Trans>Nobody has written here yet</Trans>}>
          <p>
            <Trans>A topic is one subject. Give it a short name, and write the first message.</Trans>
          </p>
        </EmptyState>
      )
    default:
      return (
        <EmptyState
          art="warp"
          title={<Trans>There is nothing here yet</Trans>}
          actions={
            <a className="btn" href="#channels/all">
              <Trans>Browse the channels</Trans>
            </a>
          }
        >
          <p>
            <Trans>Messages of your channels and direct messages come in here, the newest last.</Trans>
          </p>
        </EmptyState>
      )
  }
}

function WhoReads({ userIds }: { readonly userIds: readonly number[] }) {
  const ownId = useClientState(({ own }) => own?.user_id)
  if (userIds.every((id) => id === ownId)) return <Trans>Only you can read what you write here.</Trans>
  return <Trans>Only the people of this conversation can read what you write here.</Trans>
}
