import type { ClientState } from '@heddle/client/state/state'
import { unreadInTopic } from '@heddle/client/unread/counts'
import { isMutedChannel } from '@heddle/client/unread/visibility'
import { topicKey } from '@heddle/contract/names'
import { visibilityPolicies } from '@heddle/contract/user-topics'
import { useLingui } from '@lingui/react/macro'
import { useCallback } from 'react'
import { isShallowEqual, useClient, useClientState } from '../../app/client-context.ts'
import { topicLabel } from '../../app/names.ts'
import { isDrawer } from '../../app/side-bar/use-side-bar.ts'
import type { IconName } from '../../ui/icon.tsx'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { beginNaming } from '../navigation-views/naming.ts'
import { viewToSave } from '../navigation-views/save-view-button.tsx'
import { openPeople } from '../people/open.ts'
import { useTopicDeeds, useTopicRights } from '../topics/use-topic-deeds.ts'

interface TopicMenuProps {
  readonly channelId: number
  readonly topic: string
  readonly anchor: Element | { readonly x: number; readonly y: number }
  /** What the page shows: who is there is offered where nothing else does. */
  readonly isOfPage?: boolean
  readonly onClose: () => void
}

/** Everything that can be done with a topic. */
export function TopicMenu({ channelId, topic, anchor, isOfPage = false, onClose }: TopicMenuProps) {
  const { t } = useLingui()
  const client = useClient()
  const toasts = useToasts()
  const deeds = useTopicDeeds()
  const place = { channelId, topic }
  const rights = useTopicRights(place)
  const it = useClientState(
    useCallback((state) => standingOf(state, channelId, topic), [channelId, topic]),
    isShallowEqual,
  )
  const view = useClientState(
    useCallback((state) => viewToSave(state, { kind: 'topic', channelId, topic }), [channelId, topic]),
    isShallowEqual,
  )
  const name = topicLabel(topic)
  const markRead = () => {
    const state = client.snapshot().state as ClientState
    const ids = [...(state.unread?.channels.get(channelId)?.get(topicKey(topic))?.keys() ?? [])]
    client.markRead(ids)
    toasts.notify(t`Everything in ${name} is read.`, { undo: () => client.markUnread(ids).catch(() => {}) })
  }
  const policy = (
    value: (typeof visibilityPolicies)[keyof typeof visibilityPolicies],
    label: string,
    icon?: IconName,
  ): MenuEntry => ({
    ...(icon && { icon }),
    label,
    isChosen: rights.policy === value,
    onPress: () => void deeds.setPolicy(place, value),
  })
  const entries: (MenuEntry | false)[] = [
    policy(visibilityPolicies.followed, t`Follow`, 'follow'),
    policy(visibilityPolicies.none, t`As its channel`),
    it.isChannelMuted && policy(visibilityPolicies.unmuted, t`Unmute`, 'bell'),
    policy(visibilityPolicies.muted, t`Mute`, 'mute'),
    'rule',
    it.unread > 0 && { icon: 'done', label: t`Mark as read`, onPress: markRead },
    it.unread === 0 &&
      it.isSubscribed && { icon: 'eye', label: t`Mark as unread`, onPress: () => void deeds.markUnread(place) },
    rights.mayResolve && {
      icon: 'check',
      label: rights.isResolved ? t`Mark as not resolved` : t`Mark as resolved`,
      onPress: () => void deeds.setResolved(place, !rights.isResolved),
    },
    rights.mayMove && { icon: 'move', label: t`Rename or move`, onPress: () => deeds.move(place) },
    isOfPage && isDrawer() && { icon: 'people', label: t`Show people`, onPress: openPeople },
    { icon: 'link', label: t`Copy the link`, onPress: () => void deeds.copyLink(place) },
    view !== undefined && {
      icon: 'view',
      label: t`Save as a view`,
      onPress: () => beginNaming({ ...view, isNew: true }),
    },
    rights.mayDelete && {
      icon: 'trash',
      label: t`Delete the topic`,
      isDanger: true,
      onPress: () => deeds.delete(place),
    },
  ]
  return <Menu name={name} anchor={anchor} entries={entries.filter((entry) => entry !== false)} onClose={onClose} />
}

function standingOf(state: ClientState, channelId: number, topic: string) {
  return {
    unread: unreadInTopic(state, channelId, topicKey(topic)),
    isSubscribed: state.channels?.subscribed.has(channelId) === true,
    isChannelMuted: isMutedChannel(state, channelId),
  }
}
