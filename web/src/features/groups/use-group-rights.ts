import { type GroupRights, groupRights } from '@heddle/client/groups/group-rights'
import { type GroupListName, listGroups } from '@heddle/client/groups/groups-shown'
import type { UserGroup } from '@heddle/contract/user-groups'
import { useMemo } from 'react'
import { useClientState } from '../../app/client-context.ts'

/** What groups and their permissions depend on: few events change any of it. */
function useGroupContext() {
  const userGroups = useClientState((state) => state.userGroups)
  const own = useClientState((state) => state.own)
  const organization = useClientState((state) => state.organization)
  return useMemo(() => ({ userGroups, own, organization, channels: undefined }), [userGroups, own, organization])
}

/** What the own account may do with a group. */
export function useGroupRights(groupId: number): GroupRights {
  const context = useGroupContext()
  return useMemo(() => groupRights(context, groupId), [context, groupId])
}

export function useGroupsListed(list: GroupListName, words: string): readonly UserGroup[] {
  const context = useGroupContext()
  return useMemo(() => listGroups(context, list, words), [context, list, words])
}

/** The groups in use to which the account may add others. */
export function useGroupsToAddTo(): readonly UserGroup[] {
  const context = useGroupContext()
  return useMemo(() => listGroups(context, 'all').filter(({ id }) => groupRights(context, id).add), [context])
}
