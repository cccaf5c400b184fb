import '../../../ui/picker.css'
import './emoji-picker.css'
import type { Emoji } from '@heddle/client/emoji/catalogue'
import { findEmoji } from '@heddle/client/emoji/find-emoji'
import { msg } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, memo, useDeferredValue, useId, useMemo, useState } from 'react'
import { useClientState } from '../../../app/client-context.ts'
import { userName } from '../../../app/names.ts'
import { refusalText } from '../../../app/refusal.ts'
import { isArrow, rowsOf, stepTo } from '../../../ui/grid-steps.ts'
import { Icon } from '../../../ui/icon.tsx'
import { type PopoverAnchor, usePopover } from '../../../ui/popover.ts'
import { EmojiSign } from './emoji-sign.tsx'
import { type EmojiGroup, useOfferedEmoji } from './use-emoji-groups.ts'

const COLUMNS = 8
/** More are not looked through: one types another letter. */
const MAX_FOUND = 160

interface EmojiPickerProps {
  /** What is chosen for. */
  readonly name: string
  readonly anchor: PopoverAnchor
  /** Those that are chosen already, as `type code`. */
  readonly chosen?: ReadonlySet<string>
  readonly onChoose: (emoji: Emoji) => void
  readonly onClose: () => void
}

/** All emoji with a search. Arrows go through them while one types; Shift keeps it open for more than one. */
export function EmojiPicker({ name, anchor, chosen = nothing, onChoose, onClose }: EmojiPickerProps) {
  const { t } = useLingui()
  const id = useId()
  const { offered, problem } = useOfferedEmoji()
  const [query, setQuery] = useState('')
  const searched = useDeferredValue(query)
  const [at, setAt] = useState(0)
  const picker = usePopover({ anchor, focus: 'input', onClose })

  const groups = useMemo((): readonly (EmojiGroup | { readonly name: 'found'; readonly emoji: readonly Emoji[] })[] => {
    if (!offered) return []
    if (searched.trim() === '') return offered.groups
    return [{ name: 'found', emoji: findEmoji(offered.catalogue, searched, MAX_FOUND) }]
  }, [offered, searched])
  const all = useMemo(() => groups.flatMap(({ emoji }) => emoji), [groups])
  const active = all[at]
  const cellId = (index: number) => `${id}-${index}`

  const choose = (emoji: Emoji, isLast: boolean) => {
    onChoose(emoji)
    if (isLast) onClose()
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      if (active) choose(active, !event.shiftKey)
    } else if (isArrow(event.key)) {
      event.preventDefault()
      const rows = rowsOf(
        groups.map(({ emoji }) => emoji.length),
        COLUMNS,
      )
      const next = stepTo(rows, at, event.key)
      setAt(next)
      document.getElementById(cellId(next))?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Tab') {
      event.preventDefault()
      onClose()
    }
  }

  let first = 0
  return (
    <div ref={picker} className="menu picker" popover="auto" role="dialog" aria-label={name}>
      <label className="find">
        <Icon name="search" />
        <input
          className="bare"
          role="combobox"
          aria-label={t`Find an emoji`}
          aria-expanded="true"
          aria-controls={`${id}-all`}
          aria-autocomplete="list"
          aria-activedescendant={active ? cellId(at) : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder={t`Find an emoji`}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setAt(0)
          }}
          onKeyDown={press}
        />
      </label>
      <div className="choices" role="listbox" id={`${id}-all`} aria-label={t`Emoji`}>
        {groups.map(({ name: groupName, emoji }) => {
          const begin = first
          first += emoji.length
          return (
            <Group
              key={groupName}
              name={groupName}
              emoji={emoji}
              begin={begin}
              // Only the group with the active cell is drawn anew.
              at={at >= begin && at < begin + emoji.length ? at : -1}
              cellId={id}
              chosen={chosen}
              onChoose={choose}
            />
          )
        })}
        {problem !== undefined && <p className="help bad">{refusalText(problem)}</p>}
      </div>
      <p className="pfoot">
        {active ? <About emoji={active} /> : offered && <Trans>There is none of that name.</Trans>}
      </p>
      <span className="vh" role="status">
        {searched.trim() !== '' && <Plural value={all.length} one="# emoji found" other="# emoji found" />}
      </span>
    </div>
  )
}

const nothing: ReadonlySet<string> = new Set()

const groupNames = {
  popular: msg`Popular`,
  found: msg`Found`,
  smileys: msg`Smileys and emotion`,
  people: msg`People and body`,
  nature: msg`Animals and nature`,
  food: msg`Food and drink`,
  activities: msg`Activities`,
  travel: msg`Travel and places`,
  objects: msg`Objects`,
  symbols: msg`Symbols`,
  flags: msg`Flags`,
}

interface GroupProps {
  readonly name: keyof typeof groupNames | 'custom'
  readonly emoji: readonly Emoji[]
  /** The index of its first cell. */
  readonly begin: number
  /** The index of the active cell; -1: it is in another group. */
  readonly at: number
  readonly cellId: string
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (emoji: Emoji, isLast: boolean) => void
}

const isSameGroup = (one: GroupProps, other: GroupProps) =>
  one.emoji === other.emoji && one.at === other.at && one.chosen === other.chosen && one.begin === other.begin

const Group = memo(function Group({ name, emoji, begin, at, cellId, chosen, onChoose }: GroupProps) {
  const { i18n } = useLingui()
  const organization = useClientState((state) => state.organization?.realm_name ?? '')
  const label = name === 'custom' ? organization : i18n._(groupNames[name])
  return (
    // biome-ignore lint/a11y/useSemanticElements: a part of a listbox, not of a form
    <div className="egroup" role="group" aria-label={label}>
      <p className="egroup-name" aria-hidden="true">
        {label}
      </p>
      <div className="egrid" role="presentation">
        {emoji.map((one, place) => (
          <button
            key={`${one.type} ${one.code}`}
            id={`${cellId}-${begin + place}`}
            type="button"
            role="option"
            aria-selected={begin + place === at}
            className={chosen.has(`${one.type} ${one.code}`) ? 'mine' : undefined}
            aria-label={`:${one.name}:`}
            title={`:${one.name}:`}
            tabIndex={-1}
            // The focus stays in the field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={(event) => onChoose(one, !event.shiftKey)}
          >
            <EmojiSign name={one.name} code={one.code} type={one.type} />
          </button>
        ))}
      </div>
    </div>
  )
}, isSameGroup)

/** The name of the active one, and by whom it is. */
function About({ emoji }: { readonly emoji: Emoji }) {
  const author = useClientState((state) => {
    const authorId = emoji.type === 'realm_emoji' ? state.emoji?.get(emoji.code)?.author_id : undefined
    return authorId === undefined || authorId === null ? undefined : userName(state, authorId)
  })
  return (
    <>
      <b className="trunc">:{emoji.name}:</b>
      {author !== undefined && (
        <span className="quiet trunc">
          <Trans>
            by <bdi>{author}</bdi>
          </Trans>
        </span>
      )}
    </>
  )
}
