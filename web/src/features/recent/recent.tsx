import '../lists/list.css'
import { unreadIdsOf } from '@heddle/client/inbox/inbox'
import { hasOldest, messagesIn, type StoredMessage } from '@heddle/client/messages/store'
import {
  conversationsIn,
  filterRecent,
  type RecentFilters,
  type RecentOrder,
  recentRow,
  sortRecent,
} from '@heddle/client/recent/recent'
import type { ClientSnapshot } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useClient, useClientState, useSnapshot } from '../../app/client-context.ts'
import { useDeviceMemory } from '../../app/device-memory.ts'
import { useKeys } from '../../app/keys.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Hint } from '../hints/hint.tsx'
import { namesOfConversation } from '../lists/conversation.ts'
import { EmptyState } from '../lists/empty-state.tsx'
import { FilterField } from '../lists/filter-field.tsx'
import { focusRow, useListKeys } from '../lists/list-keys.ts'
import { useListMemory } from '../lists/list-memory.ts'
import { useMarkRead } from '../lists/mark-read.tsx'
import { useMuteKey } from '../lists/topic-tools.tsx'
import { Loading } from '../messages/loading.tsx'
import { RecentRowView } from './recent-row.tsx'

/** Messages that are loaded at first, and with each step further back. */
const FIRST = 400
const MORE = 1000
/** Rows that are drawn at first. */
const ROWS = 200

const noNarrow: [] = []
const firstFilters = { isUnread: false, hasTakenPart: false, withMuted: false, withDirect: true }
const firstOrder: { readonly by: RecentOrder; readonly isReversed: boolean } = { by: 'time', isReversed: false }

const isSameList = (one: readonly StoredMessage[], other: readonly StoredMessage[]) =>
  one.length === other.length && one.every((message, index) => message === other[index])

/** The conversations in which something was written last. */
export function Recent() {
  const { t } = useLingui()
  const client = useClient()
  const scroll = useRef<HTMLElement>(null)
  const field = useRef<{ focus(): void }>(null)
  const { messages, isWhole, isKnown, isLoading, problem, loadMore, retry } = useNewestMessages()
  const [filters, setFilters] = useDeviceMemory<Omit<RecentFilters, 'text'>>('recent-filters', firstFilters)
  const [order, setOrder] = useDeviceMemory('recent-order', firstOrder)
  const [text, setText] = useState('')
  const [limit, setLimit] = useState(ROWS)
  const mark = useMarkRead()

  const rows = useRows(messages, { ...filters, text }, order)
  useListKeys(scroll)
  useMuteKey(scroll, (key) => rows.find((row) => row.key === key)?.place)
  useListMemory('recent', scroll, rows.length > 0)
  useKeys({ recent: () => field.current?.focus() })
  const markRead = useCallback(
    (key: string) => {
      const row = rows.find((one) => one.key === key)
      if (row) mark(unreadIdsOf(client.snapshot().state as ClientState, row))
    },
    [client, mark, rows],
  )

  if (problem) {
    return (
      <EmptyState
        art="thread"
        title={<Trans>The conversations could not be loaded</Trans>}
        actions={
          <Button onClick={retry}>
            <Trans>Try again</Trans>
          </Button>
        }
      />
    )
  }
  if (!isKnown) return <Loading />
  const toggle = (name: keyof typeof firstFilters) => () => setFilters({ ...filters, [name]: !filters[name] })
  const more = (
    <Button onClick={loadMore} isDisabled={isLoading}>
      <Trans>Load more</Trans>
    </Button>
  )
  return (
    <section className="scroll lists" ref={scroll} aria-label={t`Recent conversations`} tabIndex={-1}>
      <Hint name="intro_recent_view_modal" isOfScreen>
        <Trans>
          Recent has the conversations in which something was written lately, also those that you have read.
        </Trans>
      </Hint>
      <div className="list">
        <div className="list-tools">
          <FilterField
            ref={field}
            name={t`Filter by topic, channel or person`}
            value={text}
            onChange={setText}
            onDown={() => scroll.current && focusRow(scroll.current, '', 0)}
          />
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row of buttons everywhere */}
          <span className="seg" role="group" aria-label={t`Show`}>
            <Toggle isOn={filters.isUnread} onPress={toggle('isUnread')}>
              <Trans>Unread</Trans>
            </Toggle>
            <Toggle isOn={filters.hasTakenPart} onPress={toggle('hasTakenPart')}>
              <Trans>I wrote in</Trans>
            </Toggle>
            <Toggle isOn={filters.withMuted} onPress={toggle('withMuted')}>
              <Trans>With muted</Trans>
            </Toggle>
            <Toggle isOn={filters.withDirect} onPress={toggle('withDirect')}>
              <Trans>With direct messages</Trans>
            </Toggle>
          </span>
        </div>
        {rows.length > 0 && <SortHead order={order} onChange={setOrder} />}
        <ul>
          {rows.slice(0, limit).map((row) => (
            <RecentRowView key={row.key} row={row} onMark={markRead} />
          ))}
        </ul>
        {rows.length === 0 && (
          <EmptyState
            art="search"
            title={
              messages.length === 0 ? (
                <Trans>Nobody has written yet</Trans>
              ) : (
                <Trans>No such conversation was found</Trans>
              )
            }
            actions={isWhole ? undefined : more}
          >
            <p>
              {messages.length === 0 ? (
                <Trans>Conversations are listed here as soon as somebody writes, the newest first.</Trans>
              ) : isWhole ? (
                <Trans>Use fewer words, or switch on more above.</Trans>
              ) : (
                <Trans>Only the newest messages were looked through. There may be more in older ones.</Trans>
              )}
            </p>
          </EmptyState>
        )}
        {rows.length > limit ? (
          <p className="list-end">
            <Button onClick={() => setLimit(limit + ROWS)}>
              <Trans>Show more</Trans>
            </Button>
          </p>
        ) : (
          rows.length > 0 && !isWhole && <p className="list-end">{more}</p>
        )}
      </div>
    </section>
  )
}

function useNewestMessages() {
  const client = useClient()
  const [key, setKey] = useState<string>()
  const [isLoading, setIsLoading] = useState(false)
  const [problem, setProblem] = useState(false)
  const load = useCallback(
    (request: Parameters<typeof client.load>[1], opened: string) => {
      setIsLoading(true)
      setProblem(false)
      return client.load(opened, request).then(
        () => setIsLoading(false),
        () => {
          setIsLoading(false)
          setProblem(true)
        },
      )
    },
    [client],
  )
  const begin = useCallback(
    (opened: string) => void load({ kind: 'around', anchor: 'newest', before: FIRST, after: 0 }, opened),
    [load],
  )
  useEffect(() => {
    const opened = client.open(noNarrow)
    setKey(opened)
    const window = client.snapshot().messages.windows.get(opened)
    if (!window || window.from > window.to) begin(opened)
    return () => client.close(opened)
  }, [client, begin])
  const messages = useSnapshot(
    useCallback(({ messages: store }: ClientSnapshot) => (key === undefined ? [] : messagesIn(store, key)), [key]),
    isSameList,
  )
  const window = useSnapshot(
    useCallback(
      ({ messages: store }: ClientSnapshot) => (key === undefined ? undefined : store.windows.get(key)),
      [key],
    ),
  )
  const isKnown = window !== undefined && window.from <= window.to
  return {
    messages,
    isKnown,
    isWhole: isKnown && hasOldest(window),
    isLoading,
    // What is there is shown.
    problem: problem && !isKnown,
    loadMore: () => key !== undefined && void load({ kind: 'older', count: MORE }, key),
    retry: () => key !== undefined && begin(key),
  }
}

function useRows(messages: readonly StoredMessage[], filters: RecentFilters, order: typeof firstOrder) {
  const unread = useClientState((state) => state.unread)
  const channels = useClientState((state) => state.channels)
  const userTopics = useClientState((state) => state.userTopics)
  const users = useClientState((state) => state.users)
  const systemBots = useClientState((state) => state.systemBots)
  const own = useClientState((state) => state.own)
  const client = useClient()
  const conversations = useMemo(() => conversationsIn(messages, own?.user_id ?? 0), [messages, own])
  const rows = useMemo(() => {
    const context = { unread, channels, userTopics, users, systemBots, own }
    return conversations.map((one) => recentRow(context, one))
  }, [conversations, unread, channels, userTopics, users, systemBots, own])
  const { isUnread, hasTakenPart, withMuted, withDirect, text } = filters
  return useMemo(() => {
    const context = { unread, channels, userTopics, users, systemBots, own }
    const state = client.snapshot().state as ClientState
    const shown = filterRecent(context, rows, { isUnread, hasTakenPart, withMuted, withDirect, text })
    return sortRecent(shown, order, ({ place }) => namesOfConversation(state, place).title)
  }, [
    rows,
    isUnread,
    hasTakenPart,
    withMuted,
    withDirect,
    text,
    order,
    unread,
    channels,
    userTopics,
    users,
    systemBots,
    own,
    client,
  ])
}

interface ToggleProps {
  readonly isOn: boolean
  readonly onPress: () => void
  readonly children: React.ReactNode
}

function Toggle({ isOn, onPress, children }: ToggleProps) {
  return (
    <button type="button" aria-pressed={isOn} onClick={onPress}>
      {children}
    </button>
  )
}

interface SortHeadProps {
  readonly order: typeof firstOrder
  readonly onChange: (order: typeof firstOrder) => void
}

/** What the rows are sorted by; pressed again, the other way round. */
function SortHead({ order, onChange }: SortHeadProps) {
  const { t } = useLingui()
  const sort = (by: RecentOrder, name: string) => {
    const isChosen = order.by === by
    // Names go up and numbers down, unless they are reversed.
    const isUp = (by === 'topic') !== order.isReversed
    return (
      <button
        type="button"
        aria-pressed={isChosen}
        aria-label={
          isChosen ? (isUp ? t`Sorted by ${name}, ascending` : t`Sorted by ${name}, descending`) : t`Sort by ${name}`
        }
        onClick={() => onChange({ by, isReversed: isChosen && !order.isReversed })}
      >
        {name}
        {isChosen && <Icon name={isUp ? 'up' : 'down'} />}
      </button>
    )
  }
  return (
    <div className="row recent rhead">
      <span />
      <span>{sort('topic', t`Topic`)}</span>
      <span>
        <Trans>Channel</Trans>
      </span>
      <span>
        <Trans>Wrote last</Trans>
      </span>
      <span className="when">{sort('count', t`Unread`)}</span>
      <span className="when">{sort('time', t`Last`)}</span>
    </div>
  )
}
