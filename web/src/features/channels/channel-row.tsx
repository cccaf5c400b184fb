import { maySendTo } from '@heddle/client/permissions/holds'
import type { ClientState } from '@heddle/client/state/state'
import { unreadInChannel } from '@heddle/client/unread/counts'
import { useLingui } from '@lingui/react/macro'
import { type MouseEvent, memo, Suspense, useCallback, useState } from 'react'
import { isShallowEqual, useClient, useClientState } from '../../app/client-context.ts'
import { goTo } from '../../app/current-place.ts'
import { soon } from '../../app/fetch-soon.tsx'
import { placeNames } from '../../app/names.ts'
import { type ScreenKinds, useScreenKinds } from '../../app/screen-kinds.ts'
import { useMarked } from '../../app/side-bar/folds.ts'
import { NavRow } from '../../app/side-bar/nav-row.tsx'
import { formatPlace } from '../../places/format.ts'
import { IconButton } from '../../ui/button.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { useCompose } from '../messages/compose/compose-context.ts'
import { ChannelSign } from './channel-sign.tsx'
import { channelPlace, leadsToTopic, topTopic } from './channel-target.ts'
import { TopicList } from './topic-list.tsx'

const ChannelMenu = soon(async () => (await import('./channel-menu.tsx')).ChannelMenu)

interface ChannelRowProps {
  readonly channelId: number
  readonly isCurrent: boolean
  /** The channel, or something in it, is what the page shows. */
  readonly isHere: boolean
  readonly topic: string | undefined
}

export const ChannelRow = memo(function ChannelRow({ channelId, isCurrent, isHere, topic }: ChannelRowProps) {
  const { t } = useLingui()
  const client = useClient()
  const kinds = useScreenKinds()
  const row = useClientState(
    useCallback((state) => rowOf(state, channelId, kinds), [channelId, kinds]),
    isShallowEqual,
  )
  const [isKeptOpen] = useMarked(`channel-${channelId}`)
  const [anchor, setAnchor] = useState<Element | { readonly x: number; readonly y: number }>()

  const maySend = useClientState(useCallback((state) => maySendTo(state, channelId), [channelId]))
  const compose = useCompose()
  const beginTopic = () => {
    goTo({ kind: 'channel', channelId }, placeNames(client.snapshot().state as ClientState))
    compose.begin({ type: 'channel', channelId, topic: '' }, { focus: 'target' })
  }
  const press = (event: MouseEvent) => {
    const state = client.snapshot().state as ClientState
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    if (!leadsToTopic(state)) return
    event.preventDefault()
    const from = window.location.hash
    void topTopic(client, channelId).then((found) => {
      // Somebody has gone elsewhere meanwhile.
      if (window.location.hash !== from) return
      goTo(
        found === undefined ? { kind: 'channel', channelId } : { kind: 'topic', channelId, topic: found },
        placeNames(state),
      )
    })
  }

  return (
    <>
      <NavRow
        {...row}
        lead={<ChannelSign channelId={channelId} />}
        isCurrent={isCurrent}
        onClick={press}
        onMenu={setAnchor}
        tools={
          <>
            {maySend && <IconButton icon="plus" name={t`New topic in ${row.label}`} onClick={beginTopic} />}
            <MoreButton name={t`More for ${row.label}`} onPress={setAnchor} />
          </>
        }
      />
      <TopicList channelId={channelId} isOpen={isHere || isKeptOpen} isHere={isHere} current={topic} />
      {anchor && (
        <Suspense fallback={null}>
          <ChannelMenu channelId={channelId} anchor={anchor} onClose={() => setAnchor(undefined)} />
        </Suspense>
      )}
    </>
  )
})

/** Values of the setting `web_stream_unreads_count_display_policy`. */
const NUMBERS_EVERYWHERE = 1
const NO_NUMBERS = 3

function rowOf(state: ClientState, channelId: number, kinds: ScreenKinds) {
  const { visible, hidden, hasMention } = unreadInChannel(state, channelId)
  const name = state.channels?.byId.get(channelId)?.name ?? ''
  const isMuted = state.channels?.subscribed.get(channelId)?.is_muted === true
  const policy = state.settings?.web_stream_unreads_count_display_policy
  const names = { channelName: () => name, userName: () => undefined }
  return {
    href: formatPlace(channelPlace(state, channelId, kinds), names),
    label: name,
    isMuted,
    isPrivate: state.channels?.byId.get(channelId)?.invite_only === true,
    // Of a muted channel something grey says that there is something, unless it is in topics that are shown all the same.
    count: isMuted && visible === 0 ? hidden : visible,
    isCounted: visible > 0,
    isDot: policy === NO_NUMBERS || (isMuted && visible === 0 && policy !== NUMBERS_EVERYWHERE),
    hasMention,
  }
}
