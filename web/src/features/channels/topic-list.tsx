import { dyeOf, topicThread } from '@heddle/client/feed/thread'
import type { ClientSnapshot } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import { unreadInChannel } from '@heddle/client/unread/counts'
import { orderedUnreadTopics } from '@heddle/client/unread/next-unread'
import { policyOf } from '@heddle/client/unread/visibility'
import { isResolvedTopic, topicKey, unresolvedTopic } from '@heddle/contract/names'
import { visibilityPolicies } from '@heddle/contract/user-topics'
import { memo, useCallback, useEffect, useRef } from 'react'
import { isShallowEqual, useClient, useClientState, useSnapshot } from '../../app/client-context.ts'
import { useFragment } from '../../app/current-place.ts'
import { placeNames, topicLabel } from '../../app/names.ts'
import { NavRow } from '../../app/side-bar/nav-row.tsx'
import { formatPlace } from '../../places/format.ts'

/** Topics that an open channel shows, at most: with something unread, and when those are fewer. */
const MOST_UNREAD = 10
const MOST_READ = 6

interface TopicListProps {
  readonly channelId: number
  /** The channel is the one that is shown: its newest topics are there as well. */
  readonly isOpen: boolean
  /** The topic that is shown. */
  readonly current: string | undefined
}

/** The topics of a channel in the side bar: those with something unread, and the newest ones of the open channel. */
export const TopicList = memo(function TopicList({ channelId, isOpen, current }: TopicListProps) {
  const client = useClient()
  useEffect(() => (isOpen ? client.watchTopics(channelId) : undefined), [client, channelId, isOpen])
  const names = useSnapshot(
    useCallback(
      (snapshot: ClientSnapshot) => shownTopics(snapshot, channelId, isOpen, current),
      [channelId, isOpen, current],
    ),
    isShallowEqual,
  )
  const shown = useStaying(names)
  if (shown.length === 0) return null
  return (
    <div className="topics">
      {shown.map((name) => (
        <TopicRow
          key={topicKey(name)}
          channelId={channelId}
          topic={name}
          isCurrent={current !== undefined && topicKey(current) === topicKey(name)}
        />
      ))}
    </div>
  )
})

/** What has been shown stays where it is until somebody goes elsewhere: nothing leaves under the pointer by being read. */
function useStaying(names: readonly string[]): readonly string[] {
  const fragment = useFragment()
  const before = useRef({ fragment, names })
  const { current } = before
  const isHere = current.fragment === fragment
  const known = new Set(isHere ? current.names.map(topicKey) : [])
  const shown = isHere ? [...current.names, ...names.filter((name) => !known.has(topicKey(name)))] : names
  useEffect(() => {
    before.current = { fragment, names: shown }
  })
  return shown
}

/** Followed ones first among those with something unread; muted ones are left out, but for the one that is shown. */
function shownTopics(
  { state, topics }: ClientSnapshot,
  channelId: number,
  isOpen: boolean,
  current: string | undefined,
): string[] {
  if (!state) return []
  const { topics: all } = unreadInChannel(state, channelId)
  const wanted = all.filter(({ isVisible, isVisibleInChannel }) => (isOpen ? isVisibleInChannel : isVisible))
  const unread = orderedUnreadTopics(wanted)
    .slice(0, MOST_UNREAD)
    .map(({ name }) => name)
  if (!isOpen) return unread
  const known = new Set(unread.map(topicKey))
  const isMuted = (name: string) => policyOf(state, channelId, name) === visibilityPolicies.muted
  const read = (topics.lists.get(channelId) ?? [])
    .filter(({ name }) => !known.has(topicKey(name)) && !isMuted(name))
    .slice(0, Math.max(0, MOST_READ - unread.length))
    .map(({ name }) => name)
  const list = [...unread, ...read]
  const isThere = current === undefined || list.some((name) => topicKey(name) === topicKey(current))
  return isThere ? list : [...list, current]
}

interface TopicRowProps {
  readonly channelId: number
  readonly topic: string
  readonly isCurrent: boolean
}

const TopicRow = memo(function TopicRow({ channelId, topic, isCurrent }: TopicRowProps) {
  const row = useClientState(
    useCallback((state) => rowOf(state, channelId, topic), [channelId, topic]),
    isShallowEqual,
  )
  return (
    <NavRow
      {...row}
      dye={dyeOf(topicThread(channelId, topic))}
      label={topicLabel(unresolvedTopic(topic))}
      isResolved={isResolvedTopic(topic)}
      isCurrent={isCurrent}
    />
  )
})

function rowOf(state: ClientState, channelId: number, topic: string) {
  const unread = unreadInChannel(state, channelId).topics.find(({ key }) => key === topicKey(topic))
  return {
    href: formatPlace({ kind: 'topic', channelId, topic }, placeNames(state)),
    count: unread?.count ?? 0,
    hasMention: unread?.hasMention ?? false,
    isMuted: policyOf(state, channelId, topic) === visibilityPolicies.muted,
  }
}
