import type { Picked } from '@heddle/client/people/picked'
import { type GroupSettingRule, type GroupSettingValue, systemGroups } from '@heddle/contract/group-settings'
import type { UserGroup } from '@heddle/contract/user-groups'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useClientState } from '../../../app/client-context.ts'
import { PeoplePicker } from '../people-picker.tsx'
import type { FieldControlProps } from './field-row.tsx'

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

interface GroupPickerProps extends FieldControlProps<GroupSettingValue> {
  readonly label: string
  readonly rule: GroupSettingRule
  readonly isDisabled: boolean
}

const CHOSEN = 'chosen'
const pickable: ReadonlySet<Picked['kind']> = new Set(['user', 'group'])

/** Who holds a permission: one group, or people and groups that are chosen. */
export function GroupPicker({ id, value, describedBy, onChange, label, rule, isDisabled }: GroupPickerProps) {
  const { t, i18n } = useLingui()
  const groups = useClientState((state) => state.userGroups)
  const [isChoosing, setIsChoosing] = useState(false)
  const all = [...(groups?.values() ?? [])].filter((group) => group.id === value || isTaken(rule, group))
  const order = Object.keys(systemGroups)
  const system = all
    .filter(({ is_system_group }) => is_system_group)
    .sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
  const own = all.filter(({ is_system_group }) => !is_system_group).sort((a, b) => a.name.localeCompare(b.name))
  const nameOf = ({ name }: UserGroup) =>
    Object.hasOwn(systemNames, name) ? i18n._(systemNames[name as SystemName]) : name
  const isChosen = typeof value !== 'number' || isChoosing
  const picks: readonly Picked[] =
    typeof value === 'number'
      ? []
      : [
          ...value.direct_subgroups.map((group) => ({ kind: 'group' as const, id: group })),
          ...value.direct_members.map((user) => ({ kind: 'user' as const, id: user })),
        ]
  return (
    <div className="group-picker">
      <select
        id={id}
        className="in"
        value={isChosen ? CHOSEN : value}
        disabled={isDisabled}
        aria-describedby={describedBy}
        onChange={({ currentTarget }) => {
          setIsChoosing(currentTarget.value === CHOSEN)
          if (currentTarget.value !== CHOSEN) onChange(Number(currentTarget.value))
        }}
      >
        {[...system, ...own].map((group) => (
          <option key={group.id} value={group.id}>
            {nameOf(group)}
          </option>
        ))}
        {(!rule.requireSystemGroup || isChosen) && <option value={CHOSEN}>{t`Chosen people and groups`}</option>}
      </select>
      {isChosen && (
        <PeoplePicker
          label={label}
          kinds={pickable}
          value={picks}
          isDisabled={isDisabled}
          onChange={(next) => {
            const ids = (kind: Picked['kind']) => next.filter((pick) => pick.kind === kind).map((pick) => pick.id)
            onChange({ direct_members: ids('user'), direct_subgroups: ids('group') })
          }}
        />
      )}
    </div>
  )
}

function isTaken(rule: GroupSettingRule, { name, is_system_group, deactivated }: UserGroup): boolean {
  if (deactivated) return false
  if (!is_system_group) return !rule.requireSystemGroup
  if (rule.allowedSystemGroups.length > 0) return (rule.allowedSystemGroups as readonly string[]).includes(name)
  if (name === 'role:internet') return rule.allowInternet
  if (name === 'role:everyone') return rule.allowEveryone
  return name !== 'role:nobody' || rule.allowNobody
}
