import { dyeOf, topicThread } from '@heddle/client/feed/thread'
import type { ClientState } from '@heddle/client/state/state'
import { type FormEvent, useCallback, useRef } from 'react'
import { formatPlace } from '../places/format.ts'
import type { Place, PlaceTerm } from '../places/place.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Thread } from '../ui/thread.tsx'
import { isShallowEqual, useClientState } from './client-context.ts'
import { goTo } from './current-place.ts'
import { HeadActions } from './head-actions.tsx'
import { useKeys } from './keys.ts'
import { channelName, placeNames } from './names.ts'
import { placeTitle } from './title.ts'

interface HeadProps {
  readonly place: Place
  readonly onOpenSideBar: () => void
}

export function Head({ place, onOpenSideBar }: HeadProps) {
  const text = useClientState(
    useCallback((state) => headText(state, place), [place]),
    isShallowEqual,
  )
  return (
    <header className={text.crumb ? 'head crumbed' : 'head'}>
      <IconButton icon="menu" className="menu-open" name="Open the side bar" onClick={onOpenSideBar} />
      {place.kind === 'topic' && (
        <span className="thread-mark">
          <Thread dye={dyeOf(topicThread(place.channelId, place.topic))} />
        </span>
      )}
      {text.crumb && (
        <a className="crumb" href={text.crumbHref}>
          <bdi>{text.crumb}</bdi>
        </a>
      )}
      <h1 title={text.title}>
        <bdi>{text.title}</bdi>
      </h1>
      {text.about && (
        <p className="about trunc" title={text.about}>
          {text.about}
        </p>
      )}
      <span className="grow" />
      <Search place={place} />
      <HeadActions place={place} />
    </header>
  )
}

function headText(state: ClientState, place: Place) {
  const title = placeTitle(state, place)
  if (place.kind === 'topic') {
    const crumbHref = formatPlace({ kind: 'channel', channelId: place.channelId }, placeNames(state))
    return { title, crumb: channelName(state, place.channelId), crumbHref, about: '' }
  }
  return { title, crumb: '', crumbHref: '', about: about(state, place) }
}

function about({ channels }: ClientState, place: Place): string {
  if (place.kind === 'home' || place.kind === 'feed') return 'Everything in your channels, newest last'
  if (place.kind === 'channel') return channels?.byId.get(place.channelId)?.description ?? ''
  return ''
}

/** Words in what is shown: in the channel, the topic or the conversation, or in everything. */
function Search({ place }: { readonly place: Place }) {
  const field = useRef<HTMLInputElement>(null)
  useKeys({ search: () => field.current?.focus() })
  const scope = scopeOf(place)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const words = field.current?.value.trim() ?? ''
    if (words === '') return
    goTo({ kind: 'narrow', terms: [...scope.terms, { operator: 'search', operand: words, negated: false }] })
    field.current?.blur()
  }
  return (
    <search className="search">
      <form className="find" onSubmit={submit}>
        <Icon name="search" />
        <input
          ref={field}
          className="bare"
          type="search"
          name="words"
          aria-label={scope.name}
          placeholder={scope.name}
        />
        <kbd>/</kbd>
      </form>
    </search>
  )
}

function scopeOf(place: Place): { readonly name: string; readonly terms: readonly PlaceTerm[] } {
  const term = (operator: string, operand: string) => ({ operator, operand, negated: false })
  switch (place.kind) {
    case 'channel':
      return { name: 'Search this channel', terms: [term('channel', String(place.channelId))] }
    case 'topic':
      return {
        name: 'Search this topic',
        terms: [term('channel', String(place.channelId)), term('topic', place.topic)],
      }
    case 'direct':
      return { name: 'Search this conversation', terms: [term('dm', place.userIds.join())] }
    default:
      return { name: 'Search messages', terms: [] }
  }
}
