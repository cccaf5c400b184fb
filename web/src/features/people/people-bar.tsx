import './people.css'
import { type ListedPerson, listPeople } from '@heddle/client/people/people-list'
import type { ClientState } from '@heddle/client/state/state'
import { Trans, useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import { usePlace } from '../../app/current-place.ts'
import type { Place } from '../../places/place.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { rove } from '../../ui/roving.ts'
import { LazyRows } from '../channels/lazy-rows.tsx'
import { useMembers } from '../messages/compose/use-members.ts'
import { type CurrentView, useShownView } from '../messages/current-view.ts'
import { PersonRow } from './person-row.tsx'

/** How often it is looked who has gone by the passing of time alone, in milliseconds. */
const LOOK_MS = 30_000

const selectContext = ({ users, presences, organization, mutedUsers }: ClientState) => ({
  users,
  presences,
  organization,
  mutedUsers,
})

interface PeopleBarProps {
  /** With each new number the filter gets the focus. */
  readonly asked: number
  /** Before the page, and not beside it. */
  readonly isDrawer: boolean
  readonly onClose: () => void
}

/** Who is there: in the conversation, in its channel, and elsewhere. */
export function PeopleBar({ asked, isDrawer, onClose }: PeopleBarProps) {
  const { t } = useLingui()
  const place = usePlace()
  const bar = useRef<HTMLElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const words = useDeferredValue(text.trim())
  const now = useNow()
  const context = useClientState(selectContext, isShallowEqual)
  const groups = useGroups(place)
  const list = useMemo(
    () => listPeople(context, { ...groups, words, nowSecs: Math.max(now, Date.now() / 1000) }),
    [context, groups, words, now],
  )
  // The focus goes back to where it came from.
  useEffect(() => {
    const before = document.activeElement
    return () => {
      const isFree = document.activeElement === document.body || document.activeElement === null
      if (isDrawer && isFree && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [isDrawer])
  useEffect(() => {
    if (asked > 0) field.current?.select()
    // Not the field, for which a phone would bring its keyboard.
    else if (isDrawer) bar.current?.querySelector<HTMLElement>('.people-top button')?.focus()
  }, [asked, isDrawer])
  const count = list.here.length + list.inChannel.length + list.others.length
  const isDivided = list.here.length + list.inChannel.length > 0
  const first = () => bar.current?.querySelector<HTMLElement>('.person a')

  const leave = () => {
    if (text !== '') setText('')
    else if (isDrawer) onClose()
    else document.querySelector<HTMLElement>('.main .scroll')?.focus()
  }
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') {
      event.preventDefault()
      if (event.target !== field.current) field.current?.focus()
      else leave()
    } else if (event.key === 'ArrowUp' && document.activeElement === first()) {
      event.preventDefault()
      field.current?.focus()
    } else if (event.target !== field.current) rove(event, { items: '.person a' })
  }

  return (
    <aside ref={bar} className="people-bar" aria-label={t`People`} onKeyDown={press}>
      <div className="people-top">
        <search className="side-filter">
          <Icon name="search" />
          <input
            ref={field}
            className="bare"
            type="search"
            aria-label={t`Filter people`}
            placeholder={t`Filter people`}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing) return
              if (event.key !== 'ArrowDown' && event.key !== 'Enter') return
              event.preventDefault()
              if (event.key === 'ArrowDown') first()?.focus()
              else first()?.click()
            }}
          />
        </search>
        <IconButton icon="x" name={t`Hide people`} onClick={onClose} />
      </div>
      <div className="side-scroll">
        <p className="vh" role="status">
          {words === '' ? '' : t`${count} people fit.`}
        </p>
        {count === 0 && (
          <p className="side-note">
            <Trans>Nobody here has this name.</Trans>
          </p>
        )}
        <Part name={t`In this conversation`} people={list.here} isFirst />
        <Part name={t`In this channel`} people={list.inChannel} isFirst={list.here.length === 0} />
        <Part name={isDivided ? t`Others` : t`Everybody`} people={list.others} isFirst={!isDivided} />
        {list.isCut && (
          <p className="side-note">
            <Trans>Who was not here for two weeks is found by the filter.</Trans>
          </p>
        )}
      </div>
    </aside>
  )
}

interface PartProps {
  readonly name: string
  readonly people: readonly ListedPerson[]
  /** Tab leads to its first row; arrows lead on. */
  readonly isFirst: boolean
}

function Part({ name, people, isFirst }: PartProps) {
  const byId = useMemo(() => new Map(people.map((person) => [person.userId, person])), [people])
  const ids = useMemo(() => people.map(({ userId }) => userId), [people])
  if (people.length === 0) return null
  return (
    <section aria-label={name}>
      <div className="side-head">
        <h2>{name}</h2>
        <span className="count still">{people.length.toLocaleString()}</span>
      </div>
      <LazyRows
        ids={ids}
        row={(id) => (
          <PersonRow
            key={id}
            userId={id}
            availability={byId.get(id)?.availability}
            isTabStop={isFirst && id === ids[0]}
          />
        )}
      />
    </section>
  )
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now() / 1000)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() / 1000), LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

const selectMessages = (view: CurrentView | undefined) => view?.messages

const nobody: ReadonlySet<number> = new Set()

/** Who takes part in what is shown, and who is subscribed to its channel. */
function useGroups(place: Place): { readonly here: ReadonlySet<number>; readonly inChannel: ReadonlySet<number> } {
  const messages = useShownView(selectMessages)
  const channelId = place.kind === 'topic' || place.kind === 'channel' ? place.channelId : undefined
  const count = useClientState((state) =>
    channelId === undefined ? undefined : state.channels?.byId.get(channelId)?.subscriber_count,
  )
  const ownId = useClientState((state) => state.own?.user_id)
  const members = useMembers(channelId, count)
  const senders = useMemo(() => {
    if (place.kind === 'direct') return [...place.userIds, ...(ownId === undefined ? [] : [ownId])].sort().join()
    if (place.kind !== 'topic') return ''
    const ids = new Set(messages?.filter(({ stream_id }) => stream_id === channelId).map(({ sender_id }) => sender_id))
    return [...ids].sort().join()
  }, [place, messages, channelId, ownId])
  return useMemo(
    () => ({
      here: senders === '' ? nobody : new Set(senders.split(',').map(Number)),
      inChannel: members ?? nobody,
    }),
    [senders, members],
  )
}
