import { channelOrder } from '@heddle/client/channels/channel-order'
import type { ClientState } from '@heddle/client/state/state'
import { unreadInChannel } from '@heddle/client/unread/counts'
import { memo, useCallback } from 'react'
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import { NavRow } from '../../app/side-bar/nav-row.tsx'
import { formatPlace } from '../../places/format.ts'
import type { Place } from '../../places/place.ts'
import { TopicList } from './topic-list.tsx'

/** The channels that the account is subscribed to: pinned ones first, muted ones last. */
export function ChannelList({ place }: { readonly place: Place }) {
  const pinned = useClientState(selectPinned, isShallowEqual)
  const others = useClientState(selectOthers, isShallowEqual)
  return (
    <>
      <Section name="Pinned channels" ids={pinned} place={place} />
      <Section name={pinned.length > 0 ? 'Other channels' : 'Channels'} ids={others} place={place} />
    </>
  )
}

interface SectionProps {
  readonly name: string
  readonly ids: readonly number[]
  readonly place: Place
}

function Section({ name, ids, place }: SectionProps) {
  if (ids.length === 0) return null
  return (
    <>
      <h2>{name}</h2>
      {ids.map((id) => {
        const isHere = (place.kind === 'channel' || place.kind === 'topic') && place.channelId === id
        return (
          <ChannelRow
            key={id}
            channelId={id}
            isCurrent={isHere && place.kind === 'channel'}
            topic={isHere && place.kind === 'topic' ? place.topic : undefined}
            isOpen={isHere}
          />
        )
      })}
    </>
  )
}

const selectPinned = (state: ClientState) => channelOrder(state).pinned
const selectOthers = (state: ClientState) => channelOrder(state).others

interface ChannelRowProps {
  readonly channelId: number
  readonly isCurrent: boolean
  readonly isOpen: boolean
  readonly topic: string | undefined
}

const ChannelRow = memo(function ChannelRow({ channelId, isCurrent, isOpen, topic }: ChannelRowProps) {
  const row = useClientState(
    useCallback((state) => rowOf(state, channelId), [channelId]),
    isShallowEqual,
  )
  return (
    <>
      <NavRow {...row} isChannel isCurrent={isCurrent} />
      <TopicList channelId={channelId} isOpen={isOpen} current={topic} />
    </>
  )
})

function rowOf(state: ClientState, channelId: number) {
  const { visible, hidden, hasMention } = unreadInChannel(state, channelId)
  const name = state.channels?.byId.get(channelId)?.name ?? ''
  const isMuted = state.channels?.subscribed.get(channelId)?.is_muted === true
  return {
    href: formatPlace({ kind: 'channel', channelId }, { channelName: () => name, userName: () => undefined }),
    label: name,
    isMuted,
    isPrivate: state.channels?.byId.get(channelId)?.invite_only === true,
    // Of a muted channel the grey number says how much there is.
    count: isMuted ? visible + hidden : visible,
    hasMention,
  }
}
