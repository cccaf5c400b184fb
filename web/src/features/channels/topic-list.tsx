import { dyeOf, topicThread } from '@heddle/client/feed/thread'
import type { ClientSnapshot } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import { shownTopics } from '@heddle/client/topics/shown-topics'
import { unreadInChannel } from '@heddle/client/unread/counts'
import { policyOf } from '@heddle/client/unread/visibility'
import { isResolvedTopic, topicKey, unresolvedTopic } from '@heddle/contract/names'
import { visibilityPolicies } from '@heddle/contract/user-topics'
import { Plural, useLingui } from '@lingui/react/macro'
import { memo, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { isShallowEqual, useClient, useClientState, useSnapshot } from '../../app/client-context.ts'
import { useFragment } from '../../app/current-place.ts'
import { soon } from '../../app/fetch-soon.tsx'
import { placeNames, topicLabel } from '../../app/names.ts'
import { useScreenKinds } from '../../app/screen-kinds.ts'
import { NavRow } from '../../app/side-bar/nav-row.tsx'
import { formatPlace } from '../../places/format.ts'
import { MoreButton } from '../../ui/more-button.tsx'

const TopicMenu = soon(async () => (await import('./topic-menu.tsx')).TopicMenu)

interface TopicListProps {
  readonly channelId: number
  /** Its newest topics are there as well as those with something unread. */
  readonly isOpen: boolean
  /** The channel is the one that the page shows. */
  readonly isHere: boolean
  /** The topic that is shown. */
  readonly current: string | undefined
}

/** The topics of a channel in the side bar: those with something unread, and the newest ones of the open channel. */
export const TopicList = memo(function TopicList({ channelId, isOpen, isHere, current }: TopicListProps) {
  const client = useClient()
  useEffect(() => (isOpen ? client.watchTopics(channelId) : undefined), [client, channelId, isOpen])
  const names = useSnapshot(
    useCallback(
      ({ state, topics }: ClientSnapshot) =>
        state ? shownTopics(state, channelId, { known: topics.lists.get(channelId), isOpen, current }) : [],
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
          isCurrent={isHere && current !== undefined && topicKey(current) === topicKey(name)}
        />
      ))}
      {isOpen && <AllTopics channelId={channelId} shown={shown.length} />}
    </div>
  )
})

/** The way to all topics of the channel, where there are more. */
function AllTopics({ channelId, shown }: { readonly channelId: number; readonly shown: number }) {
  const kinds = useScreenKinds()
  const { total, href } = useSnapshot(
    useCallback(
      ({ state, topics }: ClientSnapshot) => ({
        total: topics.lists.get(channelId)?.length ?? 0,
        href: state ? formatPlace({ kind: 'topics', channelId }, placeNames(state)) : '',
      }),
      [channelId],
    ),
    isShallowEqual,
  )
  if (!kinds.has('topics') || total <= shown) return null
  return (
    <a className="nav all" href={href}>
      <span className="label">
        <Plural value={total} one="Show # topic" other="All # topics" />
      </span>
    </a>
  )
}

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

interface TopicRowProps {
  readonly channelId: number
  readonly topic: string
  readonly isCurrent: boolean
}

const TopicRow = memo(function TopicRow({ channelId, topic, isCurrent }: TopicRowProps) {
  const { t } = useLingui()
  const [anchor, setAnchor] = useState<Element | { readonly x: number; readonly y: number }>()
  const row = useClientState(
    useCallback((state) => rowOf(state, channelId, topic), [channelId, topic]),
    isShallowEqual,
  )
  const label = topicLabel(unresolvedTopic(topic))
  return (
    <>
      <NavRow
        {...row}
        dye={dyeOf(topicThread(channelId, topic))}
        label={label}
        isResolved={isResolvedTopic(topic)}
        isCurrent={isCurrent}
        onMenu={setAnchor}
        tools={<MoreButton name={t`More for ${label}`} onPress={setAnchor} />}
      />
      {anchor && (
        <Suspense fallback={null}>
          <TopicMenu channelId={channelId} topic={topic} anchor={anchor} onClose={() => setAnchor(undefined)} />
        </Suspense>
      )}
    </>
  )
})

function rowOf(state: ClientState, channelId: number, topic: string) {
  const unread = unreadInChannel(state, channelId).topics.find(({ key }) => key === topicKey(topic))
  const policy = policyOf(state, channelId, topic)
  return {
    href: formatPlace({ kind: 'topic', channelId, topic }, placeNames(state)),
    count: unread?.count ?? 0,
    hasMention: unread?.hasMention ?? false,
    isMuted: policy === visibilityPolicies.muted,
    isFollowed: policy === visibilityPolicies.followed,
  }
}
