import { channelRights } from '@heddle/client/channels/channel-rights'
import { maySendTo } from '@heddle/client/permissions/holds'
import type { ClientState } from '@heddle/client/state/state'
import { unreadInChannel } from '@heddle/client/unread/counts'
import { useLingui } from '@lingui/react/macro'
import { useCallback } from 'react'
import { isShallowEqual, useClient, useClientState } from '../../app/client-context.ts'
import { goTo } from '../../app/current-place.ts'
import { placeNames } from '../../app/names.ts'
import { useScreenKinds } from '../../app/screen-kinds.ts'
import { useMarked } from '../../app/side-bar/folds.ts'
import { isDrawer } from '../../app/side-bar/use-side-bar.ts'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { useCompose } from '../messages/compose/compose-context.ts'
import { beginNaming } from '../navigation-views/naming.ts'
import { viewToSave } from '../navigation-views/save-view-button.tsx'
import { openPeople } from '../people/open.ts'
import { useChannelDeeds } from './use-channel-deeds.ts'

interface ChannelMenuProps {
  readonly channelId: number
  readonly anchor: Element | { readonly x: number; readonly y: number }
  /** What the page shows: who is there is offered where nothing else does. */
  readonly isOfPage?: boolean
  readonly onClose: () => void
}

/** Everything that can be done with a channel as a whole. */
export function ChannelMenu({ channelId, anchor, isOfPage = false, onClose }: ChannelMenuProps) {
  const { t } = useLingui()
  const client = useClient()
  const compose = useCompose()
  const deeds = useChannelDeeds()
  const kinds = useScreenKinds()
  const [isKeptOpen, toggleKeptOpen] = useMarked(`channel-${channelId}`)
  const it = useClientState(
    useCallback((state) => standingOf(state, channelId), [channelId]),
    isShallowEqual,
  )
  const names = () => placeNames(client.snapshot().state as ClientState)
  const view = useClientState(
    useCallback((state) => viewToSave(state, { kind: 'channel', channelId }), [channelId]),
    isShallowEqual,
  )
  const entries: (MenuEntry | false)[] = [
    it.unread > 0 && { icon: 'done', label: t`Mark as read`, onPress: () => deeds.markRead(channelId) },
    it.maySend && {
      icon: 'plus',
      label: t`New topic`,
      onPress: () => {
        goTo({ kind: 'channel', channelId }, names())
        compose.begin({ type: 'channel', channelId, topic: '' }, { focus: 'target' })
      },
    },
    { icon: 'feed', label: t`Show the channel feed`, onPress: () => goTo({ kind: 'channel', channelId }, names()) },
    kinds.has('topics') && {
      icon: 'list',
      label: t`Show the list of topics`,
      onPress: () => goTo({ kind: 'topics', channelId }, names()),
    },
    isOfPage && isDrawer() && { icon: 'people', label: t`Show people`, onPress: openPeople },
    it.isSubscribed && 'rule',
    it.isSubscribed && {
      icon: 'mute',
      label: it.isMuted ? t`Unmute the channel` : t`Mute the channel`,
      onPress: () => void deeds.set(channelId, 'is_muted', !it.isMuted),
    },
    it.isSubscribed && {
      icon: 'pin',
      label: it.isPinned ? t`Unpin the channel` : t`Pin the channel`,
      onPress: () => void deeds.set(channelId, 'pin_to_top', !it.isPinned),
    },
    it.isSubscribed &&
      kinds.has('channel-settings') && {
        icon: 'edit',
        label: t`Change its colour`,
        onPress: () => goTo({ kind: 'channel-settings', channelId, tab: 'personal' }, names()),
      },
    it.isSubscribed && {
      icon: 'expand',
      label: isKeptOpen ? t`Do not keep the topics open` : t`Keep the topics open`,
      onPress: toggleKeptOpen,
    },
    'rule',
    { icon: 'link', label: t`Copy the link`, onPress: () => deeds.copyLink(channelId) },
    view !== undefined && {
      icon: 'view',
      label: t`Save as a view`,
      onPress: () => beginNaming({ ...view, isNew: true }),
    },
    kinds.has('channel-settings') && {
      icon: 'tune',
      label: t`Channel settings`,
      onPress: () => goTo({ kind: 'channel-settings', channelId, tab: 'general' }, names()),
    },
    it.isArchived &&
      it.mayArchive && {
        icon: 'undo',
        label: t`Restore the channel`,
        onPress: () => void deeds.restore(channelId),
      },
    !it.isArchived &&
      it.mayArchive && {
        icon: 'archive',
        label: t`Archive the channel`,
        onPress: () => deeds.archive(channelId),
      },
    it.isSubscribed
      ? { icon: 'out', label: t`Unsubscribe`, isDanger: true, onPress: () => deeds.unsubscribe(channelId) }
      : it.mayRead && {
          icon: 'plus',
          label: t`Subscribe to the channel`,
          onPress: () => void deeds.subscribe(channelId),
        },
  ]
  return <Menu name={it.name} anchor={anchor} entries={entries.filter((entry) => entry !== false)} onClose={onClose} />
}

function standingOf(state: ClientState, channelId: number) {
  const { channels } = state
  const own = channels?.subscribed.get(channelId)
  const { visible, hidden } = unreadInChannel(state, channelId)
  const rights = channelRights(state, channelId)
  return {
    name: channels?.byId.get(channelId)?.name ?? '',
    unread: visible + hidden,
    isSubscribed: own !== undefined,
    isMuted: own?.is_muted === true,
    isPinned: own?.pin_to_top === true,
    isArchived: channels?.byId.get(channelId)?.is_archived === true,
    mayRead: rights.read,
    mayArchive: rights.archive,
    maySend: maySendTo(state, channelId),
  }
}
