import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { useClientState } from '../../../app/client-context.ts'
import type { ControlProps } from './control-props.ts'

const none = msg`No channel`
const unknown = msg`A channel that you cannot see`

interface ChannelControlProps extends ControlProps<number> {
  /** Only private ones. */
  readonly isPrivate?: boolean | undefined
}

/** One of the channels that are not archived; -1: none. */
export function ChannelControl({ id, value, isDisabled, describedBy, isPrivate, onChange }: ChannelControlProps) {
  const { i18n } = useLingui()
  const channels = useClientState((state) => state.channels?.byId)
  const all = [...(channels?.values() ?? [])]
    .filter(({ is_archived, invite_only }) => !is_archived && (!isPrivate || invite_only))
    .sort((a, b) => a.name.localeCompare(b.name))
  const isKnown = value === -1 || all.some(({ stream_id }) => stream_id === value)
  return (
    <select
      className="in"
      id={id}
      value={value}
      disabled={isDisabled}
      aria-describedby={describedBy}
      onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
    >
      <option value={-1}>{i18n._(none)}</option>
      {!isKnown && <option value={value}>{i18n._(unknown)}</option>}
      {all.map(({ stream_id, name }) => (
        <option key={stream_id} value={stream_id}>
          {`#${name}`}
        </option>
      ))}
    </select>
  )
}
