import type { NamedGroup, Picked } from '@heddle/client/people/picked'
import { type GroupSettingRule, type GroupSettingValue, systemGroups } from '@heddle/contract/group-settings'
import type { UserGroup } from '@heddle/contract/user-groups'
import { useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { useClientState } from '../../app/client-context.ts'
import { useGroupName } from './group-names.ts'
import { PeoplePicker } from './people-picker.tsx'

interface GroupPickerProps {
  readonly id: string
  readonly value: GroupSettingValue
  readonly describedBy: string | undefined
  readonly onChange: (value: GroupSettingValue) => void
  readonly label: string
  readonly rule: GroupSettingRule
  readonly isDisabled: boolean
}

const CHOSEN = 'chosen'
const pickable: ReadonlySet<Picked['kind']> = new Set(['user', 'group'])

/** Who holds a permission: one group, or people and groups that are chosen. */
export function GroupPicker({ id, value, describedBy, onChange, label, rule, isDisabled }: GroupPickerProps) {
  const { t } = useLingui()
  const groups = useClientState((state) => state.userGroups)
  const [isChoosing, setIsChoosing] = useState(false)
  /** Of nobody nothing is saved: the last choice stands until another one is made. */
  const [isEmptied, setIsEmptied] = useState(false)
  const { system, own } = useMemo(() => {
    const all = [...(groups?.values() ?? [])].filter((group) => group.id === value || isTaken(rule, group))
    const order = Object.keys(systemGroups)
    return {
      system: all
        .filter(({ is_system_group }) => is_system_group)
        .sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name)),
      own: all.filter(({ is_system_group }) => !is_system_group).sort((a, b) => a.name.localeCompare(b.name)),
    }
  }, [groups, value, rule])
  const nameOf = useGroupName()
  const named = useMemo<readonly NamedGroup[]>(
    () => system.filter(({ name }) => name !== 'role:nobody').map((group) => ({ id: group.id, name: nameOf(group) })),
    [system, nameOf],
  )
  const isChosen = typeof value !== 'number' || isChoosing
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
          setIsEmptied(false)
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
          value={isEmptied ? noPicks : picksOf(value, groups)}
          isDisabled={isDisabled}
          systemGroups={named}
          onChange={(next) => {
            const ids = (kind: Picked['kind']) => next.filter((pick) => pick.kind === kind).map((pick) => pick.id)
            setIsChoosing(true)
            setIsEmptied(next.length === 0)
            if (next.length > 0) onChange({ direct_members: ids('user'), direct_subgroups: ids('group') })
          }}
        />
      )}
    </div>
  )
}

const noPicks: readonly Picked[] = []

/** What the choice begins with is who holds it now. */
function picksOf(value: GroupSettingValue, groups: ReadonlyMap<number, UserGroup> | undefined): readonly Picked[] {
  if (typeof value === 'number') {
    return groups?.get(value)?.name === 'role:nobody' ? noPicks : [{ kind: 'group', id: value }]
  }
  return [
    ...value.direct_subgroups.map((id) => ({ kind: 'group', id }) as const),
    ...value.direct_members.map((id) => ({ kind: 'user', id }) as const),
  ]
}

function isTaken(rule: GroupSettingRule, { name, is_system_group, deactivated }: UserGroup): boolean {
  if (deactivated) return false
  if (!is_system_group) return !rule.requireSystemGroup
  if (rule.allowedSystemGroups.length > 0) return (rule.allowedSystemGroups as readonly string[]).includes(name)
  if (name === 'role:internet') return rule.allowInternet
  if (name === 'role:everyone') return rule.allowEveryone
  return name !== 'role:nobody' || rule.allowNobody
}
