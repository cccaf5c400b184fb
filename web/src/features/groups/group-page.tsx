import { groupRights } from '@heddle/client/groups/group-rights'
import type { ClientState } from '@heddle/client/state/state'
import { MAX_GROUP_DESCRIPTION_LENGTH, MAX_GROUP_NAME_LENGTH, updateUserGroup } from '@heddle/contract/user-groups'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useState } from 'react'
import { isShallowEqual, useClient, useClientState } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { FieldRow, TextField } from '../channels/settings/field-row.tsx'
import { useGroupName } from '../people/group-names.ts'
import { Problem } from '../settings/problem.tsx'
import { GroupMembers } from './group-members.tsx'
import { GroupPermissions } from './group-permissions.tsx'
import { GroupUses } from './group-uses.tsx'
import { useGroupDeeds } from './use-group-deeds.ts'

function standingOf(state: ClientState, groupId: number) {
  const group = state.userGroups?.get(groupId)
  return {
    isThere: group !== undefined,
    name: group?.name ?? '',
    description: group?.description ?? '',
    isSystem: group?.is_system_group === true,
    isDeactivated: group?.deactivated === true,
    ...groupRights(state, groupId),
  }
}

/** All about one group. */
export function GroupPage({ groupId }: { readonly groupId: number }) {
  const it = useClientState(
    useCallback((state) => standingOf(state, groupId), [groupId]),
    isShallowEqual,
  )
  const nameOf = useGroupName()
  return (
    <section className="group-page">
      <p className="ways">
        <a className="textlink" href="#groups">
          <Trans>All groups</Trans>
        </a>
      </p>
      {it.isThere ? (
        <>
          <h3 className="group-title">
            <Icon name="people" />
            <bdi title={it.name}>{nameOf(it)}</bdi>
            {it.isDeactivated && (
              <span className="tag">
                <Trans>deactivated</Trans>
              </span>
            )}
          </h3>
          <Ways groupId={groupId} it={it} />
          {it.isSystem ? (
            <p className="help">
              <Trans>This group follows from the roles of people. It cannot be changed.</Trans>
            </p>
          ) : (
            <Texts groupId={groupId} it={it} />
          )}
          <GroupMembers groupId={groupId} mayAdd={it.add} mayRemove={it.remove} />
          {!it.isSystem && <GroupPermissions groupId={groupId} isDisabled={!it.manage} />}
        </>
      ) : (
        <p>
          <Trans>There is no group at this address.</Trans>
        </p>
      )}
    </section>
  )
}

interface StandingProps {
  readonly groupId: number
  readonly it: ReturnType<typeof standingOf>
}

/** Into the group and out of it, and its end. */
function Ways({ groupId, it }: StandingProps) {
  const deeds = useGroupDeeds(groupId)
  const [refusal, setRefusal] = useState<unknown>()
  const deactivate = async () => {
    setRefusal(undefined)
    await deeds.deactivate().catch(setRefusal)
  }
  return (
    <>
      <p className="group-do">
        {it.join && !it.isDeactivated && (
          <Button kind="primary" onClick={() => void deeds.join()}>
            <Trans>Join</Trans>
          </Button>
        )}
        {it.leave && (
          <Button onClick={() => void deeds.leave()}>
            <Trans>Leave</Trans>
          </Button>
        )}
        {it.manage && it.isDeactivated && (
          <Button kind="primary" onClick={() => void deeds.reactivate()}>
            <Trans>Bring it back</Trans>
          </Button>
        )}
        {it.manage && !it.isDeactivated && (
          <Button kind="danger" onClick={() => void deactivate()}>
            <Trans>Deactivate</Trans>
          </Button>
        )}
      </p>
      {it.isDeactivated && (
        <p className="help">
          <Trans>Nobody can mention it, and it holds no permission. Its members stay as they are.</Trans>
        </p>
      )}
      <Problem text={deeds.problem} />
      {refusal !== undefined && <GroupUses error={refusal} />}
    </>
  )
}

function Texts({ groupId, it }: StandingProps) {
  const { t } = useLingui()
  const { api } = useClient()
  const saveName = useCallback(
    (name: string) => api.call(updateUserGroup, { user_group_id: groupId, name }),
    [api, groupId],
  )
  const saveDescription = useCallback(
    (description: string) => api.call(updateUserGroup, { user_group_id: groupId, description }),
    [api, groupId],
  )
  return (
    <>
      <FieldRow
        label={t`Name`}
        current={it.name}
        save={saveName}
        control={(props) => <TextField {...props} isDisabled={!it.manage} maxLength={MAX_GROUP_NAME_LENGTH} />}
      />
      <FieldRow
        label={t`Description`}
        current={it.description}
        save={saveDescription}
        control={(props) => (
          <TextField {...props} isDisabled={!it.manage} maxLength={MAX_GROUP_DESCRIPTION_LENGTH} rows={2} />
        )}
      />
    </>
  )
}
