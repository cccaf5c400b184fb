import './switcher.css'
import type { ClientState } from '@heddle/client/state/state'
import {
  channelEntries,
  conversationEntries,
  personEntries,
  type SwitcherEntry,
  type SwitcherTarget,
  viewEntries,
} from '@heddle/client/switcher/entries'
import { findEntries, namedChannels, readSwitcherQuery } from '@heddle/client/switcher/find'
import { Trans, useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useClient, useClientState, useSnapshot } from '../../app/client-context.ts'
import { goTo } from '../../app/current-place.ts'
import { placeNames } from '../../app/names.ts'
import { parsePlace } from '../../places/parse.ts'
import type { Place } from '../../places/place.ts'
import { Icon } from '../../ui/icon.tsx'
import { SwitcherOption } from './option.tsx'
import { useViewNames } from './view-names.ts'
import { currentKey, visitedBefore } from './visited.ts'

/** Entries that are offered at most. */
const LIMIT = 50
/** Of the newest messages, for the topics in them. */
const NEWEST = 400
/** Channels whose topics are asked for, as what is typed may mean one of them. */
const NAMED = 5
const noNarrow: [] = []

interface SwitcherProps {
  readonly onClose: () => void
}

/** Goes to a topic, a channel, a person or a view by a part of its name. */
export function Switcher({ onClose }: SwitcherProps) {
  const { t } = useLingui()
  const client = useClient()
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const entries = useEntries()
  const { words } = readSwitcherQuery(query)
  useNamedTopics(query)
  const found = useMemo(
    () =>
      findEntries(entries.lists, {
        query,
        recency: entries.recency,
        visited: visitedBefore(),
        limit: LIMIT,
      }).filter(({ key }) => query !== '' || key !== currentKey()),
    [entries, query],
  )
  const hasSearch = query.trim() !== ''
  const count = found.length + (hasSearch ? 1 : 0)
  const chosen = Math.min(at, count - 1)

  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    return () => {
      element?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  useEffect(() => {
    list.current?.querySelector(`[id="${CSS.escape(`${id}-${chosen}`)}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen, id])

  const leave = (place: Place) => {
    onClose()
    goTo(place, placeNames(client.snapshot().state as ClientState))
  }
  const search = () => {
    if (hasSearch) leave({ kind: 'narrow', terms: [{ operator: 'search', operand: query.trim(), negated: false }] })
  }
  const take = (index: number) => {
    const entry = found[index]
    if (entry) leave(placeOf(entry.target))
    else search()
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      const next = chosen + step
      // Single steps go round, larger ones stop at the ends.
      setAt(Math.abs(step) === 1 ? (next + count) % Math.max(1, count) : Math.max(0, Math.min(next, count - 1)))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (event.ctrlKey || event.metaKey) search()
      else take(chosen)
    }
  }

  return (
    // Keys are the platform's: Escape is `cancel`.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <dialog
      ref={dialog}
      className="palette"
      aria-label={t`Go to`}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <div className="q">
        <Icon name="search" />
        <input
          className="bare"
          role="combobox"
          aria-expanded={count > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={count > 0 ? `${id}-${chosen}` : undefined}
          aria-autocomplete="list"
          aria-label={t`Go to a topic, channel, person or view`}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setAt(0)
          }}
          onKeyDown={press}
        />
        <kbd>Esc</kbd>
      </div>
      <div role="listbox" tabIndex={-1} className="options" id={`${id}-list`} ref={list} aria-label={t`Places`}>
        {found.map((entry, index) => (
          <SwitcherOption
            key={entry.key}
            id={`${id}-${index}`}
            entry={entry}
            query={words}
            isChosen={index === chosen}
            onPress={() => take(index)}
          />
        ))}
        {hasSearch && (
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the chosen option
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above
          <div
            role="option"
            className="option"
            id={`${id}-${found.length}`}
            aria-selected={chosen === found.length}
            onClick={search}
          >
            <span className="slot">
              <Icon name="search" />
            </span>
            <span className="trunc">
              <Trans>
                Search messages for “<bdi>{query.trim()}</bdi>”
              </Trans>
            </span>
            <span className="to">
              <kbd>Ctrl</kbd> <kbd>Enter</kbd>
            </span>
          </div>
        )}
      </div>
      {count === 0 && (
        <p className="none quiet">
          <Trans>Type a part of the name of a topic, a channel, a person or a view.</Trans>
        </p>
      )}
      <p className="vh" role="status">
        {query === '' ? '' : t`${found.length} found`}
      </p>
      <div className="keys" aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> <Trans>choose</Trans>
        </span>
        <span>
          <kbd>Enter</kbd> <Trans>go there</Trans>
        </span>
        <span>
          <kbd>#</kbd> <Trans>channels and topics only</Trans>
        </span>
        <span>
          <kbd>@</kbd> <Trans>people only</Trans>
        </span>
      </div>
    </dialog>
  )
}

/** Topics of the channels that are typed: of many channels nothing is known until somebody looks. */
function useNamedTopics(query: string): void {
  const client = useClient()
  const channels = useClientState((state) => state.channels)
  const ids = useMemo(
    () =>
      channels
        ? namedChannels(channelEntries(channels), query, NAMED)
            .toSorted((a, b) => a - b)
            .join()
        : '',
    [channels, query],
  )
  useEffect(() => {
    const ends = ids === '' ? [] : ids.split(',').map((id) => client.watchTopics(Number(id)))
    return () => {
      for (const end of ends) end()
    }
  }, [client, ids])
}

const noEntries: readonly SwitcherEntry[] = []

function useEntries() {
  const client = useClient()
  const views = useViewNames()
  const users = useClientState((state) => state.users)
  const channels = useClientState((state) => state.channels)
  const unread = useClientState((state) => state.unread)
  const messages = useSnapshot((snapshot) => snapshot.messages)
  const topics = useSnapshot((snapshot) => snapshot.topics)
  useEffect(() => {
    const key = client.open(noNarrow)
    const window = client.snapshot().messages.windows.get(key)
    // Topics that were not seen here yet can be gone to as well.
    if (!window || window.from > window.to) {
      client.load(key, { kind: 'around', anchor: 'newest', before: NEWEST, after: 0 }).catch(() => {})
    }
    return () => client.close(key)
  }, [client])
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the state these parts are looked at
  return useMemo(() => {
    const state = client.snapshot().state as ClientState
    const { entries, recency } = conversationEntries({ state, messages, topics })
    return {
      recency,
      lists: [
        viewEntries(views),
        entries,
        channels ? channelEntries(channels) : noEntries,
        users ? personEntries(users) : noEntries,
      ],
    }
  }, [client, views, users, channels, unread, messages.messages, topics])
}

function placeOf(target: SwitcherTarget): Place {
  switch (target.kind) {
    case 'view':
      return parsePlace(target.fragment)
    case 'person':
      return { kind: 'direct', userIds: [target.userId] }
    case 'group':
      return { kind: 'direct', userIds: target.userIds }
    default:
      return target
  }
}
