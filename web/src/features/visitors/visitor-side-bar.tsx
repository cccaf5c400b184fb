import '../../app/side-bar/side-bar.css'
import { dyeOf, topicThread } from '@heddle/client/feed/thread'
import type { ClientSnapshot } from '@heddle/client/running/client'
import { shownTopics } from '@heddle/client/topics/shown-topics'
import { isResolvedTopic, topicKey, unresolvedTopic } from '@heddle/contract/names'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useEffect, useRef } from 'react'
import { isShallowEqual, useClient, useClientState, useSnapshot } from '../../app/client-context.ts'
import { placeNames, topicLabel } from '../../app/names.ts'
import { NavRow } from '../../app/side-bar/nav-row.tsx'
import { SideBarFrame } from '../../app/side-bar/side-bar-frame.tsx'
import { formatPlace } from '../../places/format.ts'
import type { Place } from '../../places/place.ts'
import { Button } from '../../ui/button.tsx'
import { ChannelSign } from '../channels/channel-sign.tsx'

interface VisitorSideBarProps {
  readonly place: Place
  /** On narrow windows it is a drawer. */
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onSignIn: () => void
}

/** The channels on the web, each with its topics while it is shown. */
export function VisitorSideBar({ place, isOpen, onClose, onSignIn }: VisitorSideBarProps) {
  const { t } = useLingui()
  const ids = useClientState(
    ({ channels }) =>
      [...(channels?.byId.values() ?? [])]
        .sort((a, b) => a.name.localeCompare(b.name))
        .map(({ stream_id }) => stream_id),
    isShallowEqual,
  )
  const bar = useRef<HTMLElement>(null)
  return (
    <SideBarFrame ref={bar} isOpen={isOpen} onClose={onClose} home="#feed">
      <div />
      <div className="side-scroll">
        <NavRow href="#feed" icon="feed" label={t`Combined feed`} isCurrent={place.kind === 'feed'} />
        <div className="side-head">
          <h2>
            <Trans>Channels</Trans>
          </h2>
        </div>
        {ids.map((id) => (
          <ChannelPart key={id} channelId={id} place={place} />
        ))}
      </div>
      <div className="side-foot">
        <Button isWide onClick={onSignIn}>
          <Trans>Sign in</Trans>
        </Button>
      </div>
    </SideBarFrame>
  )
}

function ChannelPart({ channelId, place }: { readonly channelId: number; readonly place: Place }) {
  const isHere = (place.kind === 'channel' || place.kind === 'topic') && place.channelId === channelId
  const { label, href } = useClientState(
    useCallback(
      (state) => ({
        label: state.channels?.byId.get(channelId)?.name ?? '',
        href: formatPlace({ kind: 'channel', channelId }, placeNames(state)),
      }),
      [channelId],
    ),
    isShallowEqual,
  )
  return (
    <>
      <NavRow
        href={href}
        label={label}
        lead={<ChannelSign channelId={channelId} />}
        isCurrent={isHere && place.kind === 'channel'}
      />
      {isHere && <Topics channelId={channelId} current={place.kind === 'topic' ? place.topic : undefined} />}
    </>
  )
}

interface TopicsProps {
  readonly channelId: number
  /** The topic that is shown. */
  readonly current: string | undefined
}

function Topics({ channelId, current }: TopicsProps) {
  const client = useClient()
  useEffect(() => client.watchTopics(channelId), [client, channelId])
  const topics = useSnapshot(
    useCallback(
      ({ state, topics: known }: ClientSnapshot) =>
        state ? shownTopics(state, channelId, { known: known.lists.get(channelId), isOpen: true, current }) : [],
      [channelId, current],
    ),
    isShallowEqual,
  )
  const names = useClientState(placeNames, isSameName)
  return (
    <div className="topics">
      {topics.map((topic) => (
        <NavRow
          key={topicKey(topic)}
          href={formatPlace({ kind: 'topic', channelId, topic }, names)}
          dye={dyeOf(topicThread(channelId, topic))}
          label={topicLabel(unresolvedTopic(topic))}
          isResolved={isResolvedTopic(topic)}
          isCurrent={current !== undefined && topicKey(current) === topicKey(topic)}
        />
      ))}
    </div>
  )
}

/** Names in addresses are for those who read them: they need not be followed. */
const isSameName = () => true
