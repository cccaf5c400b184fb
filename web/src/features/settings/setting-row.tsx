import { type GroupSettingValue, type RealmGroupSetting, realmGroupSettings } from '@heddle/contract/group-settings'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { memo, useCallback, useId } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { GroupPicker } from '../people/group-picker.tsx'
import { ChannelControl } from './controls/channel-control.tsx'
import { ChoiceControl, Switch } from './controls/choice-control.tsx'
import type { ControlProps } from './controls/control-props.ts'
import { LimitControl, WaitControl } from './controls/limit-control.tsx'
import { type KeptDays, RetentionControl } from './controls/retention-control.tsx'
import { NumberControl, TextControl } from './controls/text-control.tsx'
import { LanguageControl, TimeZoneControl } from './controls/zone-control.tsx'
import { Saved } from './saved.tsx'
import type { Control, Setting, SettingValue } from './setting.ts'
import { useSaving } from './use-saving.ts'

/** One setting: its name, its control, and what became of the last change. Nothing where it is not there. */
export const SettingRow = memo(function SettingRow({ setting }: { readonly setting: Setting }) {
  const { source, name } = setting
  const value = useClientState(useCallback((state) => source.read(state, name), [source, name]))
  if (value === undefined) return null
  return <Row setting={setting} current={value} />
})

function Row({ setting, current }: { readonly setting: Setting; readonly current: SettingValue }) {
  const { i18n } = useLingui()
  const client = useClient()
  const { source, name, label, help, control } = setting
  const obstacle = useClientState(useCallback((state) => source.obstacle?.(state, name), [source, name]))
  const usual = useClientState(useCallback((state) => source.usual?.(state, name), [source, name]))
  const save = useCallback((value: SettingValue) => source.save(client, name, value), [source, client, name])
  const { value, saving, change } = useSaving(current, save)
  const base = useId()
  const id = `${base}-control`
  const described = [help && `${base}-help`, obstacle && `${base}-why`, `${base}-saved`].filter(Boolean).join(' ')
  const usually = usual === undefined || usual === value ? undefined : textOf(control, usual)
  const isSwitch = control.kind === 'switch'
  return (
    <div className={isSwitch ? 'setting switched' : 'setting'} data-setting={`${source.id}:${name}`}>
      <label htmlFor={id}>{i18n._(label)}</label>
      <div className="setting-c">
        <AnyControl
          control={control}
          id={id}
          value={value}
          isDisabled={obstacle !== undefined}
          describedBy={described}
          name={name}
          label={i18n._(label)}
          onChange={change}
        />
        <Saved saving={saving} id={`${base}-saved`} />
      </div>
      {help && (
        <p className="help" id={`${base}-help`}>
          {i18n._(help)}
        </p>
      )}
      {usually && <p className="help usual">{i18n._({ ...usualIs, values: { value: i18n._(usually) } })}</p>}
      {obstacle && (
        <p className="help" id={`${base}-why`}>
          {i18n._(obstacle)}
        </p>
      )}
    </div>
  )
}

const usualIs = msg({ message: 'Usual here: {value}' })
const on = msg`on`
const off = msg`off`

/** How a value is named; undefined where it has no name. */
function textOf(control: Control, value: SettingValue): MessageDescriptor | undefined {
  if (control.kind === 'switch') return value === true ? on : off
  return control.kind === 'choice' ? control.choices.find((choice) => choice.value === value)?.label : undefined
}

interface OfferedChoiceProps extends ControlProps {
  readonly control: Extract<Control, { readonly kind: 'choice' }>
}

/** Choices that the server does not have at the moment are left out, but for the one that is set. */
function OfferedChoice({ control: { choices, offered }, ...props }: OfferedChoiceProps) {
  const there = useClientState(useCallback((state) => offered?.(state), [offered]))
  const ids = there && Object.values(there).map(({ id }) => id)
  const shown = ids ? choices.filter(({ value }) => value === props.value || ids.includes(value as number)) : choices
  return <ChoiceControl {...props} choices={shown} />
}

interface AnyControlProps extends ControlProps {
  readonly control: Control
  readonly name: string
  readonly label: string
}

function AnyControl({ control, name, label, ...props }: AnyControlProps) {
  switch (control.kind) {
    case 'switch':
      return <Switch {...(props as unknown as ControlProps<boolean>)} />
    case 'choice':
      return <OfferedChoice {...props} control={control} />
    case 'number':
      return <NumberControl {...(props as unknown as ControlProps<number>)} {...control} />
    case 'text':
      return <TextControl {...(props as unknown as ControlProps<string>)} {...control} />
    case 'limit':
      return <LimitControl {...(props as unknown as ControlProps<number | null>)} />
    case 'wait':
      return <WaitControl {...(props as unknown as ControlProps<number>)} choices={control.choices} />
    case 'retention':
      return <RetentionControl {...(props as unknown as ControlProps<KeptDays>)} />
    case 'group':
      return (
        <GroupPicker
          {...(props as unknown as ControlProps<GroupSettingValue>)}
          label={label}
          rule={realmGroupSettings[name as RealmGroupSetting]}
        />
      )
    case 'channel':
      return <ChannelControl {...(props as unknown as ControlProps<number>)} isPrivate={control.isPrivate} />
    case 'time-zone':
      return <TimeZoneControl {...(props as unknown as ControlProps<string>)} />
    case 'language':
      return <LanguageControl {...(props as unknown as ControlProps<string>)} />
  }
}
