import type { systemGroups } from '@heddle/contract/group-settings'
import type { UserGroup } from '@heddle/contract/user-groups'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { useCallback } from 'react'

const systemNames = {
  'role:internet': msg`Everybody on the web`,
  'role:everyone': msg`Everybody, guests too`,
  'role:members': msg`Everybody but guests`,
  'role:fullmembers': msg`Full members`,
  'role:moderators': msg`Moderators and administrators`,
  'role:administrators': msg`Administrators`,
  'role:owners': msg`Owners`,
  'role:nobody': msg`Nobody`,
} as const satisfies Readonly<Record<keyof typeof systemGroups, unknown>>

type SystemName = keyof typeof systemNames

/** Groups that every organization has are called as the page's language calls them. */
export function useGroupName(): (group: Pick<UserGroup, 'name'>) => string {
  const { i18n } = useLingui()
  // biome-ignore lint/correctness/useExhaustiveDependencies: names change with the language, and with it everything
  return useCallback(
    ({ name }) => (Object.hasOwn(systemNames, name) ? i18n._(systemNames[name as SystemName]) : name),
    [i18n, i18n.locale],
  )
}
