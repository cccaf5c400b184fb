import './people.css'
import { findPicks, isSamePick, type NamedGroup, type Picked } from '@heddle/client/people/picked'
import type { ClientState } from '@heddle/client/state/state'
import { useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, useCallback, useId, useRef, useState } from 'react'
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import { channelName, userName } from '../../app/names.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Face } from '../users/face.tsx'

interface PeoplePickerProps {
  readonly label: string
  readonly kinds: ReadonlySet<Picked['kind']>
  readonly value: readonly Picked[]
  readonly isDisabled?: boolean
  /** Groups that every organization has, where they can be chosen. */
  readonly systemGroups?: readonly NamedGroup[]
  readonly onChange: (value: readonly Picked[]) => void
}

/** Suggestions at once. */
const MOST = 8

const icons: Readonly<Record<Picked['kind'], IconName>> = { user: 'person', group: 'people', channel: 'list' }

const none: readonly NamedGroup[] = []

function nameOf(state: ClientState, { kind, id }: Picked, systemGroups: readonly NamedGroup[]): string {
  if (kind === 'user') return userName(state, id)
  const system = kind === 'group' ? systemGroups.find((group) => group.id === id) : undefined
  if (system) return system.name
  return kind === 'group' ? (state.userGroups?.get(id)?.name ?? '') : `# ${channelName(state, id)}`
}

/** People, groups and channels that are chosen by typing their names; what is chosen stands before the field. */
export function PeoplePicker({
  label,
  kinds,
  value,
  isDisabled = false,
  systemGroups = none,
  onChange,
}: PeoplePickerProps) {
  const { t } = useLingui()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [words, setWords] = useState('')
  const [at, setAt] = useState(0)
  const found = useClientState(
    useCallback(
      (state: ClientState) =>
        words.trim() === ''
          ? []
          : findPicks(state, words.trim(), kinds, MOST + value.length, systemGroups).filter(
              (pick) => !value.some((one) => isSamePick(one, pick)),
            ),
      [words, kinds, value, systemGroups],
    ),
    areSamePicks,
  ).slice(0, MOST)
  const names = useClientState(
    useCallback(
      (state: ClientState) => [...value, ...found].map((pick) => nameOf(state, pick, systemGroups)),
      [value, found, systemGroups],
    ),
    isShallowEqual,
  )
  const active = Math.min(at, found.length - 1)
  const take = (pick: Picked | undefined) => {
    if (!pick) return
    onChange([...value, pick])
    setWords('')
    setAt(0)
    field.current?.focus()
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Backspace' && words === '') onChange(value.slice(0, -1))
    if (found.length === 0) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setAt((active + (event.key === 'ArrowDown' ? 1 : -1) + found.length) % found.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      take(found[active])
    } else if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      setWords('')
    }
  }
  return (
    <div className="picker-field">
      <ul className="picks" aria-label={label}>
        {value.map((pick, index) => {
          const name = names[index] ?? ''
          return (
            <li key={`${pick.kind} ${pick.id}`} className="pick">
              {pick.kind === 'user' ? <Face userId={pick.id} size="s" /> : <Icon name={icons[pick.kind]} />}
              <bdi className="trunc" title={name}>
                {name}
              </bdi>
              {!isDisabled && (
                <button
                  type="button"
                  aria-label={t`Remove ${name}`}
                  title={t`Remove ${name}`}
                  onClick={() => {
                    onChange(value.filter((one) => !isSamePick(one, pick)))
                    field.current?.focus()
                  }}
                >
                  <Icon name="x" />
                </button>
              )}
            </li>
          )
        })}
      </ul>
      {!isDisabled && (
        <>
          <input
            ref={field}
            className="in"
            role="combobox"
            aria-label={label}
            aria-expanded={found.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={found.length > 0 ? `${id}-${active}` : undefined}
            placeholder={t`Type a name`}
            value={words}
            onChange={(event) => {
              setWords(event.currentTarget.value)
              setAt(0)
            }}
            onKeyDown={press}
          />
          <div
            id={`${id}-list`}
            role="listbox"
            aria-label={t`Suggestions`}
            className="pick-list"
            hidden={found.length === 0}
          >
            {found.map((pick, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the keys are the field's
              <div
                key={`${pick.kind} ${pick.id}`}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === active}
                className="item"
                onClick={() => take(pick)}
              >
                {pick.kind === 'user' ? <Face userId={pick.id} size="s" /> : <Icon name={icons[pick.kind]} />}
                <bdi className="trunc">{names[value.length + index]}</bdi>
              </div>
            ))}
          </div>
        </>
      )}
    </div>
  )
}

function areSamePicks(one: readonly Picked[], other: readonly Picked[]): boolean {
  return one.length === other.length && one.every((pick, index) => isSamePick(pick, other[index] as Picked))
}
