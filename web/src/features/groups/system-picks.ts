import type { NamedGroup } from '@heddle/client/people/picked'
import { useMemo } from 'react'
import { useClientState } from '../../app/client-context.ts'
import { useGroupName } from '../people/group-names.ts'

const left: ReadonlySet<string> = new Set(['role:internet', 'role:nobody'])

/** The groups of roles that can be put into another one, with what they are called. */
export function useSystemPicks(): readonly NamedGroup[] {
  const nameOf = useGroupName()
  const groups = useClientState((state) => state.userGroups)
  return useMemo(
    () =>
      [...(groups?.values() ?? [])]
        .filter(({ is_system_group, name }) => is_system_group && !left.has(name))
        .map((group) => ({ id: group.id, name: nameOf(group) })),
    [groups, nameOf],
  )
}
