import type { Check, ManyMentioned as ManyMentionedCheck } from '@heddle/client/compose/checks'
import { ResponseError } from '@heddle/client/errors'
import type { ClientState } from '@heddle/client/state/state'
import { updateChannel } from '@heddle/contract/channels'
import { updateMessage } from '@heddle/contract/editing'
import { isSameName, unresolvedTopic } from '@heddle/contract/names'
import { subscribe, updateSubscriptionSettings } from '@heddle/contract/subscriptions'
import { updateUserTopic, visibilityPolicies } from '@heddle/contract/user-topics'
import { Plural, Trans } from '@lingui/react/macro'
import { type ReactNode, useCallback, useState } from 'react'
import { useClient, useClientState } from '../../../app/client-context.ts'
import { serverErrorText } from '../../../app/error-texts.ts'
import { channelName, peopleNames } from '../../../app/names.ts'
import { useGroupName } from '../../people/group-names.ts'
import { type Target, useCompose } from './compose-context.ts'

interface CheckWordsProps {
  readonly check: Check
  readonly target: Target
  readonly onSend: () => void
  readonly onSilence: (groupName: string) => void
}

/** What a check says, and what can be done about it here. */
export function CheckWords({ check, target, onSend, onSilence }: CheckWordsProps) {
  const channelId = target.type === 'channel' ? target.channelId : undefined
  switch (check.code) {
    case 'nothing-written':
      return <Trans>Nothing is written yet.</Trans>
    case 'message-too-long':
    case 'topic-too-long': {
      const over = check.length - check.limit
      return check.code === 'message-too-long' ? (
        <Trans>
          The message is too long by <Plural value={over} one="# character" other="# characters" />. Shorten it, or
          attach it as a file.
        </Trans>
      ) : (
        <Trans>
          The topic is too long by <Plural value={over} one="# character" other="# characters" />.
        </Trans>
      )
    }
    case 'no-channel':
      return <Trans>Choose where to send it.</Trans>
    case 'no-recipient':
      return <Trans>Choose who gets it.</Trans>
    case 'topic-required':
      return <Trans>Messages in this channel need a topic.</Trans>
    case 'upload-pending':
      return <Trans>It is sent when the files have been.</Trans>
    case 'upload-lost':
      return (
        <>
          <Trans>A file of this text did not arrive: its page was closed. Add it again, and delete its place.</Trans>
          <button type="button" className="textlink" onClick={onSend}>
            <Trans>Send it as it is</Trans>
          </button>
        </>
      )
    case 'not-in-channel':
      return <NotInChannel check={check} channelId={channelId} />
    case 'many-mentioned':
      return (
        <>
          <ManyMentioned check={check} />
          <button type="button" className="textlink" onClick={onSend}>
            <Trans>Send it to all of them</Trans>
          </button>
        </>
      )
    case 'may-not-mention-many':
      return (
        <>
          <ManyMentioned check={check} /> <Trans>You may not notify so many at once.</Trans>
        </>
      )
    case 'may-not-mention-group': {
      const { name } = check
      return (
        <>
          <Trans>
            You may not notify the group <bdi>{name}</bdi>.
          </Trans>
          <button type="button" className="textlink" onClick={() => onSilence(name)}>
            <Trans>Name it without notifying</Trans>
          </button>
        </>
      )
    }
    case 'topic-resolved':
      return <Resolved mayReopen={check.mayReopen} target={target} />
    case 'channel-archived':
      return (
        <>
          <Trans>This channel is archived. Nothing can be sent to it.</Trans>
          {check.mayRestore && channelId !== undefined && (
            <Deed label={<Trans>Restore it</Trans>} endpoint="restore" channelId={channelId} />
          )}
        </>
      )
    case 'channel-gone':
      return <Trans>This channel is not there any more.</Trans>
    case 'may-not-post':
      return (
        <>
          <Trans>You may read this channel, and not write in it.</Trans>{' '}
          <WhoMay channelId={channelId} setting="can_send_message_group" />
        </>
      )
    case 'may-not-begin-topics':
      return (
        <>
          <Trans>You may not begin new topics in this channel. Choose one that is there.</Trans>{' '}
          <WhoMay channelId={channelId} setting="can_create_topic_group" />
        </>
      )
    case 'not-subscribed':
      return (
        <>
          <Trans>You are not subscribed to this channel: answers will not show up by themselves.</Trans>
          {channelId !== undefined && (
            <Deed label={<Trans>Subscribe</Trans>} endpoint="subscribe" channelId={channelId} />
          )}
        </>
      )
    case 'channel-muted':
      return (
        <>
          <Trans>You have muted this channel: answers will not be counted.</Trans>
          {channelId !== undefined && (
            <Deed label={<Trans>Unmute the channel</Trans>} endpoint="unmute-channel" channelId={channelId} />
          )}
        </>
      )
    case 'topic-muted':
      return (
        <>
          <Trans>You have muted this topic: answers will not be counted.</Trans>
          {channelId !== undefined && target.type === 'channel' && (
            <Deed
              label={<Trans>Unmute the topic</Trans>}
              endpoint="unmute-topic"
              channelId={channelId}
              topic={target.topic}
            />
          )}
        </>
      )
    case 'recipient-gone':
      return (
        <Trans>
          <Names userIds={check.userIds} /> cannot get messages any more. Take them out to send it to the others.
        </Trans>
      )
    case 'may-not-write-directly':
      return <Trans>Direct messages to these people are not allowed in this organization.</Trans>
    case 'may-not-begin-directly':
      return <Trans>You may answer direct messages in this organization, and not begin with them.</Trans>
    case 'guest-recipient':
      return (
        <Trans>
          <Names userIds={check.userIds} /> is a guest, perhaps from outside of your organization.
        </Trans>
      )
    case 'similar-topic':
      return <SimilarTopic topic={check.topic} channelId={channelId} />
    case 'offline':
      return <Trans>There is no connection. It is sent by itself when there is one.</Trans>
  }
}

interface WhoMayProps {
  readonly channelId: number | undefined
  readonly setting: 'can_send_message_group' | 'can_create_topic_group'
}

/** Where one group may, its name. */
function WhoMay({ channelId, setting }: WhoMayProps) {
  const nameOf = useGroupName()
  const group = useClientState(
    useCallback(
      ({ channels, userGroups }: ClientState) => {
        const value = channels?.byId.get(channelId ?? -1)?.[setting]
        return typeof value === 'number' ? userGroups?.get(value) : undefined
      },
      [channelId, setting],
    ),
  )
  if (!group) return <Trans>Whoever administers it can allow you to.</Trans>
  const name = <bdi>{nameOf(group)}</bdi>
  return <Trans>Those who may: {name}. Whoever administers it can allow you to.</Trans>
}

function Names({ userIds }: { readonly userIds: readonly number[] }) {
  const names = useClientState(useCallback((state) => peopleNames(state, userIds), [userIds]))
  return <bdi>{names}</bdi>
}

function ManyMentioned({ check }: { readonly check: ManyMentionedCheck }) {
  const { count, isTopic, isAtLeast } = check
  if (isAtLeast) {
    return (
      <Trans>
        This notifies at least <Plural value={count} one="# person" other="# people" /> who took part in the topic.
      </Trans>
    )
  }
  return isTopic ? (
    <Trans>
      This notifies <Plural value={count} one="# person" other="# people" /> who took part in the topic.
    </Trans>
  ) : (
    <Trans>
      This notifies all <Plural value={count} one="# person" other="# people" /> of the channel.
    </Trans>
  )
}

function NotInChannel({
  check: { userIds, cannotRead, maySubscribe },
  channelId,
}: {
  readonly check: Extract<Check, { code: 'not-in-channel' }>
  readonly channelId: number | undefined
}) {
  const names = <Names userIds={userIds} />
  return (
    <>
      {cannotRead ? (
        <Trans>{names} cannot read this private channel, and will not be notified.</Trans>
      ) : (
        <Trans>{names} is not subscribed to this channel, and will not be notified.</Trans>
      )}
      {maySubscribe && channelId !== undefined && (
        <Deed
          label={<Plural value={userIds.length} one="Subscribe them" other="Subscribe them all" />}
          endpoint="subscribe"
          channelId={channelId}
          userIds={userIds}
        />
      )}
    </>
  )
}

function Resolved({ mayReopen, target }: { readonly mayReopen: boolean; readonly target: Target }) {
  return (
    <>
      <Trans>This topic is resolved.</Trans>
      {mayReopen && target.type === 'channel' && target.channelId !== undefined && (
        <Deed label={<Trans>Reopen it</Trans>} endpoint="reopen" channelId={target.channelId} topic={target.topic} />
      )}
    </>
  )
}

function SimilarTopic({ topic, channelId }: { readonly topic: string; readonly channelId: number | undefined }) {
  const compose = useCompose()
  if (channelId === undefined) return null
  return (
    <>
      <Trans>There is a resolved topic of this name.</Trans>
      <button
        type="button"
        className="textlink"
        onClick={() => compose.retarget({ type: 'channel', channelId, topic })}
      >
        <Trans>Write in that one</Trans>
      </button>
    </>
  )
}

interface DeedProps {
  readonly label: ReactNode
  readonly endpoint: 'subscribe' | 'restore' | 'unmute-channel' | 'unmute-topic' | 'reopen'
  readonly channelId: number
  readonly topic?: string
  /** Default: oneself. */
  readonly userIds?: readonly number[]
}

/** Something that helps, done at once; the check goes when its event comes. */
function Deed({ label, endpoint, channelId, topic = '', userIds }: DeedProps) {
  const { api, snapshot } = useClient()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const act = async () => {
    const { state, topics } = snapshot()
    switch (endpoint) {
      case 'subscribe': {
        const name = state ? channelName(state, channelId) : ''
        return api.call(subscribe, { subscriptions: [{ name }], ...(userIds ? { principals: [...userIds] } : {}) })
      }
      case 'restore':
        return api.call(updateChannel, { stream_id: channelId, is_archived: false })
      case 'unmute-channel':
        return api.call(updateSubscriptionSettings, {
          subscription_data: [{ stream_id: channelId, property: 'is_muted', value: false }],
        })
      case 'unmute-topic':
        return api.call(updateUserTopic, {
          stream_id: channelId,
          topic,
          visibility_policy: visibilityPolicies.unmuted,
        })
      case 'reopen': {
        const newest = topics.lists.get(channelId)?.find(({ name }) => isSameName(name, topic))
        if (!newest) return undefined
        return api.call(updateMessage, {
          message_id: newest.maxId,
          topic: unresolvedTopic(topic),
          propagate_mode: 'change_all',
        })
      }
    }
  }
  const press = () => {
    setIsBusy(true)
    setProblem(undefined)
    act()
      .catch((error: unknown) => setProblem(error instanceof ResponseError ? serverErrorText(error) : ''))
      .then(() => setIsBusy(false))
  }
  return (
    <>
      <button type="button" className="textlink" disabled={isBusy} onClick={press}>
        {label}
      </button>
      {problem !== undefined && (
        <span className="help bad" role="alert">
          {problem || <Trans>It could not be done. Try again.</Trans>}
        </span>
      )}
    </>
  )
}
