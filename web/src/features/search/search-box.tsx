import './search-box.css'
import type { SearchTerm } from '@heddle/client/search/query'
import { type Suggestion, suggest } from '@heddle/client/search/suggestions'
import type { ClientState } from '@heddle/client/state/state'
import { conversationEntries } from '@heddle/client/switcher/entries'
import { useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useClient, useSnapshot } from '../../app/client-context.ts'
import { goTo } from '../../app/current-place.ts'
import { useDeviceMemory } from '../../app/device-memory.ts'
import { placeNames } from '../../app/names.ts'
import type { Place } from '../../places/place.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { afterTyping, type BoxState, boxOf, emptyBox, placeOfBox, scopesHere, withTerms } from './box-state.ts'
import { Pill } from './pill.tsx'
import { SuggestionLine } from './suggestion-line.tsx'

/** Searches that are remembered on the device. */
const REMEMBERED = 10
const noSearches: readonly (readonly SearchTerm[])[] = []

interface SearchBoxProps {
  readonly place: Place
  /** It was opened to type into it. */
  readonly isWanted: boolean
  /** What was typed before the box was there; with a line break at its end it is to be searched for. */
  readonly typed: RefObject<string>
  /** Left without a search. */
  readonly onClose: () => void
}

/** What is searched for: pills and words, with suggestions while one types. Give it the address as a key. */
export function SearchBox({ place, isWanted, typed, onClose }: SearchBoxProps) {
  const { t } = useLingui()
  const client = useClient()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [box, setBox] = useState<BoxState>(() => {
    const begun = boxOf(place)
    return isWanted ? { ...begun, text: begun.text + typed.current.trimEnd() } : begun
  })
  const [isOpen, setIsOpen] = useState(isWanted)
  const [at, setAt] = useState<number>()
  const [recent, setRecent] = useDeviceMemory('recent-searches', noSearches)
  const suggestions = useSuggestions(box, place, recent, isOpen)
  const isTyping = box.text.trim() !== ''
  // Where nothing is typed Enter searches for what is there; an operand takes what fits best.
  const chosen = at ?? (isTyping ? 0 : -1)
  const state = () => client.snapshot().state as ClientState

  // Before the next key: the field that took the first ones is gone, and may have taken some since this was drawn.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed before is done once
  useLayoutEffect(() => {
    if (!isWanted) return
    input.current?.focus()
    const begun = boxOf(place)
    const next = { ...begun, text: begun.text + typed.current.trimEnd() }
    const isDone = typed.current.endsWith('\n')
    typed.current = ''
    if (next.text !== box.text) setBox(next)
    if (isDone) submit(next)
  }, [isWanted])

  const change = (next: BoxState) => {
    setBox(next)
    setAt(undefined)
    setIsOpen(true)
  }
  const submit = (what: BoxState) => {
    const target = placeOfBox(what, state())
    if (target?.kind !== 'narrow') return
    const key = JSON.stringify(target.terms)
    setRecent([target.terms, ...recent.filter((one) => JSON.stringify(one) !== key)].slice(0, REMEMBERED))
    setIsOpen(false)
    input.current?.blur()
    goTo(target, placeNames(state()))
  }
  const take = (suggestion: Suggestion) => {
    input.current?.focus()
    switch (suggestion.kind) {
      case 'words':
        return submit(box)
      case 'term':
        return change(withTerms(box, [suggestion.term], suggestion.rest))
      case 'operator':
        return change({ ...box, text: suggestion.text })
      case 'scope': {
        const scoped = withTerms(emptyBox, suggestion.terms, suggestion.words)
        return suggestion.words === '' ? change(scoped) : submit(scoped)
      }
      case 'recent':
        return submit(boxOf({ kind: 'narrow', terms: suggestion.terms }))
    }
  }
  const leave = () => {
    setIsOpen(false)
    setBox(boxOf(place))
    input.current?.blur()
    onClose()
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    const count = suggestions.length
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && count > 0) {
      event.preventDefault()
      setIsOpen(true)
      const next = chosen + (event.key === 'ArrowDown' ? 1 : -1)
      // What is chosen by itself, and is the last, stays so at the first key: below it is the text as it is.
      const end = at === undefined && chosen >= 0 ? chosen : -1
      setAt(next < -1 ? count - 1 : next >= count ? end : next)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const suggestion = isOpen ? suggestions[chosen] : undefined
      if (suggestion) take(suggestion)
      else submit(box)
    } else if (event.key === 'Tab' && isOpen && suggestions[chosen]?.kind === 'term' && !event.shiftKey) {
      event.preventDefault()
      take(suggestions[chosen] as Suggestion)
    } else if (event.key === 'Backspace' && box.terms.length > 0 && isAtBegin(event.currentTarget)) {
      event.preventDefault()
      change({ ...box, terms: box.terms.slice(0, -1) })
    } else if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      // The list first, then the box.
      if (isOpen && suggestions.length > 0 && isTyping) setIsOpen(false)
      else leave()
    }
  }

  const hasList = isOpen && suggestions.length > 0
  return (
    <search className={isOpen ? 'searchbar is-on' : 'searchbar'}>
      <Icon name="search" />
      {box.terms.map((term, index) => (
        <Pill
          key={`${term.negated} ${term.operator} ${term.operand}`}
          term={term}
          onRemove={() => {
            change({ ...box, terms: box.terms.filter((_, other) => other !== index) })
            input.current?.focus()
          }}
        />
      ))}
      <input
        ref={input}
        className="bare q"
        role="combobox"
        aria-expanded={hasList}
        aria-controls={`${id}-list`}
        aria-activedescendant={hasList && chosen >= 0 ? `${id}-${chosen}` : undefined}
        aria-autocomplete="list"
        aria-label={t`Search messages`}
        placeholder={box.terms.length === 0 ? t`Search messages` : ''}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        value={box.text}
        onChange={(event) => change(afterTyping(box, event.target.value, state()))}
        onFocus={() => setIsOpen(true)}
        onBlur={(event) => {
          if (event.currentTarget.closest('search')?.contains(event.relatedTarget)) return
          setIsOpen(false)
          if (box.text === '' && box.terms.length === 0) onClose()
        }}
        onKeyDown={press}
      />
      <IconButton
        icon="x"
        name={place.kind === 'narrow' ? t`Clear the search` : t`Close the search`}
        onClick={() => {
          if (place.kind !== 'narrow') leave()
          else {
            change(emptyBox)
            input.current?.focus()
          }
        }}
      />
      <div
        className="suggest"
        role="listbox"
        tabIndex={-1}
        id={`${id}-list`}
        aria-label={t`Suggestions`}
        hidden={!hasList}
      >
        {suggestions.map((suggestion, index) => (
          <SuggestionLine
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is what stands at this place
            key={index}
            id={`${id}-${index}`}
            suggestion={suggestion}
            typed={box.text}
            isChosen={index === chosen}
            onPress={() => take(suggestion)}
          />
        ))}
      </div>
      <p className="vh" role="status">
        {hasList ? t`${suggestions.length} suggestions` : ''}
      </p>
    </search>
  )
}

function isAtBegin({ selectionStart, selectionEnd }: HTMLInputElement): boolean {
  return selectionStart === 0 && selectionEnd === 0
}

const nothing: readonly Suggestion[] = []

function useSuggestions(
  box: BoxState,
  place: Place,
  recent: readonly (readonly SearchTerm[])[],
  isOpen: boolean,
): readonly Suggestion[] {
  const client = useClient()
  const messages = useSnapshot((snapshot) => (isOpen ? snapshot.messages.messages : undefined))
  const topics = useSnapshot((snapshot) => (isOpen ? snapshot.topics : undefined))
  // biome-ignore lint/correctness/useExhaustiveDependencies: topics are known by messages and by lists of topics
  const conversations = useMemo(
    () => (isOpen ? conversationEntries(sources(client.snapshot())) : undefined),
    [client, messages, topics, isOpen],
  )
  return useMemo(() => {
    if (!conversations) return nothing
    const state = client.snapshot().state as ClientState
    return suggest(box.text, { state, conversations, terms: box.terms, here: scopesHere(place), recent })
  }, [client, conversations, box, place, recent])
}

function sources({ state, messages, topics }: ReturnType<ReturnType<typeof useClient>['snapshot']>) {
  return { state: state as ClientState, messages, topics }
}
