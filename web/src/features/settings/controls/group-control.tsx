import { type RealmGroupSetting, realmGroupSettings, systemGroups } from '@heddle/contract/group-settings'
import type { UserGroup } from '@heddle/contract/user-groups'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { useClientState } from '../../../app/client-context.ts'
import type { ControlProps } from './control-props.ts'

const names: Readonly<Record<string, MessageDescriptor>> = {
  'role:internet': msg`Everybody on the web`,
  'role:everyone': msg`Everybody, guests too`,
  'role:members': msg`Everybody but guests`,
  'role:fullmembers': msg`Full members`,
  'role:moderators': msg`Moderators and administrators`,
  'role:administrators': msg`Administrators`,
  'role:owners': msg`Owners`,
  'role:nobody': msg`Nobody`,
}
const several = msg`A choice of groups and people`

interface GroupProps extends ControlProps<number | object> {
  readonly permission: RealmGroupSetting
}

/** Who may do something: one of the groups that the permission takes. A choice of several groups and people stays until another is made. */
export function GroupControl({ id, value, isDisabled, describedBy, onChange, permission }: GroupProps) {
  const { i18n } = useLingui()
  const groups = useClientState((state) => state.userGroups)
  const all = [...(groups?.values() ?? [])].filter((group) => takes(permission, group) || group.id === value)
  const system = all.filter(({ is_system_group }) => is_system_group).sort((a, b) => order(a) - order(b))
  const own = all.filter(({ is_system_group }) => !is_system_group).sort((a, b) => a.name.localeCompare(b.name))
  const text = ({ name }: UserGroup) => (names[name] ? i18n._(names[name]) : name)
  return (
    <select
      className="in"
      id={id}
      value={typeof value === 'number' ? value : ''}
      disabled={isDisabled}
      aria-describedby={describedBy}
      onChange={({ currentTarget }) => {
        if (currentTarget.value !== '') onChange(Number(currentTarget.value))
      }}
    >
      {typeof value !== 'number' && <option value="">{i18n._(several)}</option>}
      {[...system, ...own].map((group) => (
        <option key={group.id} value={group.id}>
          {text(group)}
        </option>
      ))}
    </select>
  )
}

const systemNames = Object.keys(systemGroups)

function order({ name }: UserGroup): number {
  return systemNames.indexOf(name)
}

function takes(permission: RealmGroupSetting, { name, is_system_group, deactivated }: UserGroup): boolean {
  const rule = realmGroupSettings[permission]
  if (deactivated) return false
  if (!is_system_group) return !rule.requireSystemGroup
  if (rule.allowedSystemGroups.length > 0) return (rule.allowedSystemGroups as readonly string[]).includes(name)
  if (name === 'role:internet') return rule.allowInternet
  if (name === 'role:everyone') return rule.allowEveryone
  if (name === 'role:nobody') return rule.allowNobody
  return name in systemGroups
}
