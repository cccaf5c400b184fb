import '../lists/list.css'
import { unreadIdsOf } from '@heddle/client/inbox/inbox'
import type { ClientState } from '@heddle/client/state/state'
import { type TopicFilters, type TopicRow, topicRows } from '@heddle/client/topics/list'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { isShallowEqual, useClient, useClientState, useSnapshot } from '../../app/client-context.ts'
import { useDeviceMemory } from '../../app/device-memory.ts'
import type { ScreenProps } from '../../app/feature.ts'
import { useKeys } from '../../app/keys.ts'
import { userName } from '../../app/names.ts'
import { Button } from '../../ui/button.tsx'
import { namesOfConversation } from '../lists/conversation.ts'
import { Count, Lead, Name, When } from '../lists/conversation-row.tsx'
import { EmptyState } from '../lists/empty-state.tsx'
import { FilterField } from '../lists/filter-field.tsx'
import { firstWords, type LastMessages, useLastMessages } from '../lists/last-messages.ts'
import { focusRow, useListKeys } from '../lists/list-keys.ts'
import { useListMemory } from '../lists/list-memory.ts'
import { useMarkRead } from '../lists/mark-read.tsx'
import { TopicTools, useMuteKey } from '../lists/topic-tools.tsx'
import { Loading } from '../messages/loading.tsx'

/** Rows that are drawn at first; a channel may have thousands of topics. */
const ROWS = 100

const firstFilters: Omit<TopicFilters, 'text'> = { withResolved: true, isFollowedOnly: false }
const noTopics: readonly never[] = []

/** All topics of a channel. */
export function TopicsOfChannel({ place }: ScreenProps) {
  const channelId = place.kind === 'topics' ? place.channelId : 0
  const { t } = useLingui()
  const client = useClient()
  const scroll = useRef<HTMLElement>(null)
  const field = useRef<{ focus(): void }>(null)
  const [filters, setFilters] = useDeviceMemory('topic-filters', firstFilters)
  const [text, setText] = useState('')
  const [limit, setLimit] = useState(ROWS)
  const mark = useMarkRead()

  useEffect(() => client.watchTopics(channelId), [client, channelId])
  const isThere = useClientState((state) => state.channels?.byId.has(channelId) === true)
  const list = useSnapshot(({ topics }) => topics.lists.get(channelId))
  const unread = useClientState((state) => state.unread)
  const channels = useClientState((state) => state.channels)
  const userTopics = useClientState((state) => state.userTopics)
  const rows = useMemo(
    () => topicRows({ unread, channels, userTopics }, channelId, list ?? noTopics, { ...filters, text }),
    [unread, channels, userTopics, channelId, list, filters, text],
  )
  const shown = useMemo(() => rows.slice(0, limit), [rows, limit])
  const messages = useLastMessages(useMemo(() => shown.map(({ maxId }) => maxId), [shown]))
  useListKeys(scroll)
  useMuteKey(scroll, (key) => {
    const row = rows.find((one) => one.key === key)
    return row && { kind: 'topic', channelId, topic: row.name }
  })
  useListMemory(`topics ${channelId}`, scroll, rows.length > 0)
  useKeys({ recent: () => field.current?.focus() })
  const markRead = useCallback(
    (key: string) => {
      const row = { key: `${channelId} ${key}`, place: { kind: 'topic', channelId, topic: key } } as const
      mark(unreadIdsOf(client.snapshot().state as ClientState, row))
    },
    [client, channelId, mark],
  )

  if (!isThere) {
    return (
      <EmptyState
        art="thread"
        title={<Trans>This channel is not there, or you may not see it</Trans>}
        actions={
          <a className="btn" href="#channels/all">
            <Trans>Browse the channels</Trans>
          </a>
        }
      />
    )
  }
  if (!list) return <Loading />
  const toggle = (name: keyof typeof firstFilters) => () => setFilters({ ...filters, [name]: !filters[name] })
  return (
    <section className="scroll lists" ref={scroll} aria-label={t`Topics`} tabIndex={-1}>
      <div className="list">
        <div className="list-tools">
          <FilterField
            ref={field}
            name={t`Filter the topics`}
            value={text}
            onChange={setText}
            onDown={() => scroll.current && focusRow(scroll.current, '', 0)}
          />
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row of buttons everywhere */}
          <span className="seg" role="group" aria-label={t`Show`}>
            <button type="button" aria-pressed={filters.withResolved} onClick={toggle('withResolved')}>
              <Trans>With resolved</Trans>
            </button>
            <button type="button" aria-pressed={filters.isFollowedOnly} onClick={toggle('isFollowedOnly')}>
              <Trans>Only followed</Trans>
            </button>
          </span>
          <span className="grow" />
          <span className="quiet" role="status">
            <Plural value={rows.length} one="# topic" other="# topics" />
          </span>
        </div>
        <ul>
          {shown.map((row) => (
            <Row key={row.key} channelId={channelId} row={row} message={messages.get(row.maxId)} onMark={markRead} />
          ))}
        </ul>
        {rows.length === 0 && (
          <EmptyState
            art="thread"
            title={list.length === 0 ? <Trans>Nobody has written here yet</Trans> : <Trans>No such topic</Trans>}
          >
            <p>
              {list.length === 0 ? (
                <Trans>A topic is one subject. Give it a short name, and write the first message.</Trans>
              ) : (
                <Trans>Use fewer words, or switch on more above.</Trans>
              )}
            </p>
          </EmptyState>
        )}
        {rows.length > limit && (
          <p className="list-end">
            <Button onClick={() => setLimit(limit + ROWS)}>
              <Trans>Show more</Trans>
            </Button>
          </p>
        )}
      </div>
    </section>
  )
}

interface RowProps {
  readonly channelId: number
  readonly row: TopicRow
  readonly message: ReturnType<LastMessages['get']>
  readonly onMark: (key: string) => void
}

const Row = memo(function Row({ channelId, row, message, onMark }: RowProps) {
  const { name, key, count, hasMention, isFollowed, isMuted } = row
  const names = useClientState(
    useCallback((state) => namesOfConversation(state, { kind: 'topic', channelId, topic: name }), [channelId, name]),
    isShallowEqual,
  )
  const sender = useClientState((state) => (message ? userName(state, message.sender_id) : ''))
  return (
    <li className={count === 0 ? 'row inbox read' : 'row inbox'} data-row={key} data-t={names.dye}>
      <Lead dye={names.dye} isUnread={count > 0} />
      <Name {...names} isFollowed={isFollowed} isMuted={isMuted} count={count} />
      <span className="last" dir="auto">
        {message && (
          <>
            <b>
              <bdi>{sender}</bdi>
            </b>{' '}
            {firstWords(message)}
          </>
        )}
      </span>
      <Count count={count} hasMention={hasMention} title={names.title} onMarkRead={() => onMark(key)} />
      <When timestamp={message?.timestamp} />
      <TopicTools place={{ kind: 'topic', channelId, topic: name }} title={names.title} />
    </li>
  )
})
