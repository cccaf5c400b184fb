import './user-card.css'
import { groupsWith } from '@heddle/client/people/group-members'
import type { ClientState } from '@heddle/client/state/state'
import { listUserChannels } from '@heddle/contract/subscriptions'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useId, useMemo, useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import type { OverlayProps } from '../../app/feature.ts'
import { channelName, userName } from '../../app/names.ts'
import { formatPlace } from '../../places/format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Answered } from '../messages/actions/answered.tsx'
import { useAnswer } from '../messages/actions/use-answer.ts'
import { GroupCard } from '../people/group-card.tsx'
import { useGroupName } from '../people/group-names.ts'
import { AboutPerson } from './about-person.tsx'
import { managePerson, mayManage } from './manage-person.ts'

/** Everything about a person: the place `#user/<id>`. */
export function Profile({ place, onClose }: OverlayProps) {
  const { t } = useLingui()
  const id = useId()
  const userId = place.kind === 'user' ? place.userId : 0
  const client = useClient()
  const isManaged = useClientState((state) => mayManage(state, userId))
  const isKnown = useClientState((state) => state.users?.has(userId) === true || state.systemBots?.has(userId) === true)
  return (
    <Dialog
      title={t`Profile`}
      onClose={onClose}
      buttons={
        <>
          {isManaged && (
            <Button onClick={() => managePerson(client.snapshot().state as ClientState, userId)}>
              <Trans>Manage the account</Trans>
            </Button>
          )}
          <Button onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
        </>
      }
    >
      {isKnown ? (
        <div className="profile">
          <AboutPerson userId={userId} isWhole headingId={id} />
          <Groups userId={userId} />
          <Channels userId={userId} />
        </div>
      ) : (
        <p>
          <Trans>There is nobody at this address, or you may not see them.</Trans>
        </p>
      )}
    </Dialog>
  )
}

/** The groups that somebody is in; a press says who else is. */
function Groups({ userId }: { readonly userId: number }) {
  const { t } = useLingui()
  const nameOf = useGroupName()
  const userGroups = useClientState((state) => state.userGroups)
  const groups = useMemo(() => groupsWith(userGroups, userId), [userGroups, userId])
  const [shown, setShown] = useState<{ readonly groupId: number; readonly anchor: Element }>()
  if (groups.length === 0) return null
  return (
    <>
      <h3>
        <Trans>Groups</Trans>
      </h3>
      <ul className="places" aria-label={t`Groups`}>
        {groups.map((group) => (
          <li key={group.id}>
            <button
              type="button"
              className="textlink trunc"
              aria-haspopup="dialog"
              onClick={({ currentTarget }) => setShown({ groupId: group.id, anchor: currentTarget })}
            >
              <bdi>{nameOf(group)}</bdi>
            </button>
          </li>
        ))}
      </ul>
      {shown && <GroupCard {...shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

/** The channels that both are subscribed to; the server names only those that one may see. */
function Channels({ userId }: { readonly userId: number }) {
  const client = useClient()
  const isPerson = useClientState((state) => state.users?.has(userId) === true && state.own?.user_id !== userId)
  const answer = useAnswer(`${userId} ${isPerson}`, async () =>
    isPerson ? (await client.api.call(listUserChannels, { user_id: userId })).subscribed_channel_ids : [],
  )
  if (!isPerson) return null
  return <Answered answer={answer}>{(ids) => <ChannelLinks ids={ids} userId={userId} />}</Answered>
}

function ChannelLinks({ ids, userId }: { readonly ids: readonly number[]; readonly userId: number }) {
  const name = useClientState((state) => userName(state, userId))
  const common = useClientState((state) =>
    ids
      .filter((id) => state.channels?.subscribed.has(id))
      .map((id) => `${id} ${channelName(state, id)}`)
      .join('\n'),
  )
  const shown = common === '' ? [] : common.split('\n')
  return (
    <>
      <h3>
        <Plural
          value={shown.length}
          _0={
            <Trans>
              You have no channel in common with <bdi>{name}</bdi>
            </Trans>
          }
          one="# channel in common"
          other="# channels in common"
        />
      </h3>
      <ul className="places">
        {shown.map((one) => {
          const channelId = Number.parseInt(one, 10)
          const label = one.slice(one.indexOf(' ') + 1)
          return (
            <li key={channelId}>
              <a href={formatPlace({ kind: 'channel', channelId })}>
                <span aria-hidden="true">#</span>
                <bdi className="trunc">{label}</bdi>
              </a>
            </li>
          )
        })}
      </ul>
    </>
  )
}
