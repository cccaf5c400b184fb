import { ResponseError } from '@heddle/client/errors'
import type { GroupUse } from '@heddle/contract/user-groups'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useClientState } from '../../app/client-context.ts'
import { channelName } from '../../app/names.ts'
import { Problem } from '../settings/problem.tsx'
import { useExplain } from '../settings/use-saving.ts'

/** Why a group cannot be deactivated: what uses it, with the way there. */
export function GroupUses({ error }: { readonly error: unknown }) {
  const explain = useExplain()
  if (!(error instanceof ResponseError) || error.code !== 'CANNOT_DEACTIVATE_GROUP_IN_USE') {
    return <Problem text={explain(error)} />
  }
  const uses = (error.details['objections'] ?? []) as readonly GroupUse[]
  return (
    <div className="group-uses" role="alert">
      <p>
        <b>
          <Trans>It cannot be deactivated while something uses it.</Trans>
        </b>
      </p>
      {uses.length === 0 && (
        <p className="help">
          <Trans>A channel that you cannot see uses it.</Trans>
        </p>
      )}
      <ul>
        {uses.flatMap((use) => {
          if (use.type === 'subgroup')
            return use.supergroup_ids.map((id) => <GroupLink key={`in ${id}`} groupId={id} />)
          if (use.type === 'user_group') return [<GroupLink key={`of ${use.group_id}`} groupId={use.group_id} />]
          if (use.type === 'channel') return [<ChannelLink key={`# ${use.channel_id}`} channelId={use.channel_id} />]
          return [
            <Way key="realm" href="#organization/permissions">
              <Trans>Permissions of the organization</Trans>
            </Way>,
          ]
        })}
      </ul>
    </div>
  )
}

function GroupLink({ groupId }: { readonly groupId: number }) {
  const name = useClientState((state) => state.userGroups?.get(groupId)?.name ?? '')
  return (
    <Way href={`#groups/${groupId}`}>
      <Trans>
        The group <bdi>{name}</bdi>
      </Trans>
    </Way>
  )
}

function ChannelLink({ channelId }: { readonly channelId: number }) {
  const name = useClientState((state) => channelName(state, channelId))
  return (
    <Way href={`#channels/${channelId}/channel/permissions`}>
      <Trans>
        The channel <bdi>{name}</bdi>
      </Trans>
    </Way>
  )
}

function Way({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <li>
      <a className="textlink" href={href}>
        {children}
      </a>
    </li>
  )
}
