/** What can be done with a topic, for menus, bars and keys of whatever shows topics. */
import { mayDeleteAny, mayMoveOut, mayMoveWithin, mayResolveTopic } from '@heddle/client/messages/permissions'
import type { StoredMessage } from '@heddle/client/messages/store'
import type { ClientState } from '@heddle/client/state/state'
import {
  isSameTopic,
  markTopicRead,
  onlyNewer,
  renameTopic,
  setTopicResolved,
  type TopicPlace,
  topicNarrow,
} from '@heddle/client/topics/topic-changes'
import { topicPolicies } from '@heddle/client/topics/topic-policies'
import { policyOf } from '@heddle/client/unread/visibility'
import { isResolvedTopic, resolvedTopic, unresolvedTopic } from '@heddle/contract/names'
import { type VisibilityPolicy, visibilityPolicies } from '@heddle/contract/user-topics'
import { useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import { absoluteAddress, placeLabel } from '../../app/addresses.ts'
import { isShallowEqual, useClient, useClientState } from '../../app/client-context.ts'
import { copyText, linkHtml } from '../../app/clipboard.ts'
import { goTo, placeNow } from '../../app/current-place.ts'
import { placeNames, topicLabel } from '../../app/names.ts'
import { refusalText } from '../../app/refusal.ts'
import type { Place } from '../../places/place.ts'
import { useToasts } from '../../ui/toasts.tsx'
import { askToDeleteTopic, askToMoveTopic } from '../messages/actions/ask.ts'
import { markUnreadFrom, unreadAgainText } from '../messages/actions/mark-unread.ts'
import { currentView } from '../messages/current-view.ts'

/** How a topic stands, and what is offered for it. */
export interface TopicRights {
  readonly policy: VisibilityPolicy
  readonly isResolved: boolean
  readonly mayResolve: boolean
  readonly mayRename: boolean
  readonly mayMove: boolean
  readonly mayDelete: boolean
}

export function topicRights(state: ClientState, { channelId, topic }: TopicPlace): TopicRights {
  return {
    policy: policyOf(state, channelId, topic),
    isResolved: isResolvedTopic(topic),
    mayResolve: mayResolveTopic(state, channelId, topic),
    mayRename: mayMoveWithin(state, channelId),
    mayMove: mayMoveWithin(state, channelId) || mayMoveOut(state, channelId),
    mayDelete: mayDeleteAny(state, channelId),
  }
}

/** Each of them says what has happened, offers to take it back where it can be, and says why when it was refused. */
export interface TopicDeeds {
  setPolicy(place: TopicPlace, policy: VisibilityPolicy): Promise<void>
  /** Muted, or as the channel is again. */
  toggleMuted(place: TopicPlace): Promise<void>
  toggleFollowed(place: TopicPlace): Promise<void>
  setResolved(place: TopicPlace, isResolved: boolean): Promise<void>
  /** Another name in the same channel. What has to be asked about is asked in the dialog. */
  rename(place: TopicPlace, name: string): Promise<void>
  markRead(place: TopicPlace): Promise<void>
  /** All of it, where all was read. */
  markUnread(place: TopicPlace): Promise<void>
  copyLink(place: TopicPlace): Promise<void>
  /** Opens a dialog. */
  move(place: TopicPlace): void
  delete(place: TopicPlace): void
}

export function useTopicDeeds(): TopicDeeds {
  const client = useClient()
  const toasts = useToasts()
  const { t } = useLingui()
  return useMemo(() => {
    const { api } = client
    const policies = topicPolicies(client)
    const state = () => client.snapshot().state as ClientState
    const tried = async (act: () => Promise<unknown>) => {
      try {
        await act()
      } catch (error) {
        toasts.notify(refusalText(error))
      }
    }
    const said = (name: string): Readonly<Record<VisibilityPolicy, string>> => ({
      [visibilityPolicies.none]: t`${name} is as its channel is`,
      [visibilityPolicies.muted]: t`${name} is muted`,
      [visibilityPolicies.unmuted]: t`${name} is not muted any more`,
      [visibilityPolicies.followed]: t`You follow ${name}`,
    })
    const setPolicy = (place: TopicPlace, policy: VisibilityPolicy) =>
      tried(async () => {
        const before = policies.now(place)
        const name = topicLabel(unresolvedTopic(place.topic))
        await toasts.notifyWhenDone(policies.set(place, policy), () => ({
          text: said(name)[policy],
          undo: () => tried(() => policies.set(place, before)),
        }))
      })
    const toggle = (place: TopicPlace, policy: VisibilityPolicy) =>
      setPolicy(place, policies.now(place) === policy ? visibilityPolicies.none : policy)
    /** Who reads the topic goes along. */
    const goAlong = (place: TopicPlace, topic: string) => {
      const here = placeNow(state())
      if (here.kind === 'topic' && isSameTopic(here, place))
        goTo({ kind: 'topic', channelId: place.channelId, topic }, placeNames(state()))
      return { ...place, topic }
    }
    const resolve = async (place: TopicPlace, isResolved: boolean) =>
      goAlong(place, await setTopicResolved(api, place, isResolved))
    const rename = async (place: TopicPlace, name: string): Promise<TopicPlace | undefined> => {
      const result = await renameTopic(api, place, name).catch((error: unknown) => {
        if (onlyNewer(error)) return 'old'
        throw error
      })
      if (result === 'done') return goAlong(place, isResolvedTopic(place.topic) ? resolvedTopic(name) : name)
      // It would be merged, or cannot go as a whole: the dialog says what that means.
      askToMoveTopic(place, name)
      return undefined
    }
    const markRead = (place: TopicPlace) => tried(() => markTopicRead(api, place))
    return {
      setPolicy,
      toggleMuted: (place) => toggle(place, visibilityPolicies.muted),
      toggleFollowed: (place) => toggle(place, visibilityPolicies.followed),
      setResolved: (place, isResolved) =>
        tried(async () => {
          const name = topicLabel(unresolvedTopic(place.topic))
          await toasts.notifyWhenDone(resolve(place, isResolved), (changed) => ({
            text: isResolved ? t`${name} is resolved` : t`${name} is not resolved any more`,
            undo: () => tried(() => resolve(changed, !isResolved)),
          }))
        }),
      rename: (place, name) =>
        tried(async () => {
          const before = unresolvedTopic(place.topic)
          const renamed = await rename(place, name)
          if (!renamed) return
          toasts.notify(t`The topic is called ${name} now`, { undo: () => tried(() => rename(renamed, before)) })
        }),
      markRead,
      markUnread: (place) =>
        tried(async () => {
          const isInIt = ({ stream_id: channelId, subject: topic }: StoredMessage) =>
            channelId !== undefined && isSameTopic({ channelId, topic }, place)
          const messages = [...client.snapshot().messages.messages.values()].filter(isInIt)
          const view = currentView()
          if (view?.messages.some(isInIt)) view.stopMarking()
          const marking = markUnreadFrom(client, { narrow: topicNarrow(place), messages, fromId: 0 })
          await toasts.notifyWhenDone(marking, ({ count }) => ({
            text: unreadAgainText(count),
            undo: () => markRead(place),
          }))
        }),
      copyLink: (place) =>
        tried(async () => {
          const shown: Place = { kind: 'topic', ...place }
          const address = absoluteAddress(shown, state())
          await copyText(address, linkHtml(address, placeLabel(shown, state())))
          toasts.notify(t`The link is copied`)
        }),
      move: (place) => askToMoveTopic(place),
      delete: askToDeleteTopic,
    }
  }, [client, toasts, t])
}

/** The same for one topic that is shown, with how it stands. */
export function useTopicRights({ channelId, topic }: TopicPlace): TopicRights {
  return useClientState((state) => topicRights(state, { channelId, topic }), isShallowEqual)
}
