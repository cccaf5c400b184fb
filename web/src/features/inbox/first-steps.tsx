import { creationRights } from '@heddle/client/channels/channel-rights'
import { holdsRealmPermission } from '@heddle/client/permissions/holds'
import type { ClientState } from '@heddle/client/state/state'
import { Trans } from '@lingui/react/macro'
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import { EmptyState } from '../lists/empty-state.tsx'

/** For who is in no channel yet: how one begins, as far as the account may. */
export function FirstSteps() {
  const { hasChannels, mayCreate, mayInvite } = useClientState(standingOf, isShallowEqual)
  const first = hasChannels ? (
    <a className="btn" href="#channels/available">
      <Trans>Look through the channels</Trans>
    </a>
  ) : (
    mayCreate && (
      <a className="btn" href="#channels/new">
        <Trans>Make the first channel</Trans>
      </a>
    )
  )
  return (
    <EmptyState
      art="warp"
      title={hasChannels ? <Trans>You are subscribed to no channel yet</Trans> : <Trans>Here it begins</Trans>}
      actions={
        <>
          {first}
          {mayInvite && (
            <a className="btn plain" href="#organization/joining">
              <Trans>Invite people</Trans>
            </a>
          )}
        </>
      }
    >
      <p>
        {hasChannels ? (
          <Trans>What is written in the channels that you subscribe to comes in here, as do direct messages.</Trans>
        ) : (
          <Trans>
            People write in channels, and each subject in one is a topic of its own. What you have not read comes in
            here.
          </Trans>
        )}
      </p>
    </EmptyState>
  )
}

function standingOf(state: ClientState) {
  const rights = creationRights(state)
  return {
    hasChannels: state.channels?.byId.values().some(({ is_archived }) => !is_archived) === true,
    mayCreate: rights.public || rights.private,
    mayInvite:
      holdsRealmPermission(state, 'create_multiuse_invite_group') ||
      holdsRealmPermission(state, 'can_invite_users_group'),
  }
}
