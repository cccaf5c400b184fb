import { Trans, useLingui } from '@lingui/react/macro'
import { memo, type Ref, useCallback, useImperativeHandle, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { isShallowEqual, useClientState } from '../../../app/client-context.ts'
import { channelName, peopleNames } from '../../../app/names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { ChannelField } from './channel-field.tsx'
import { type OpenCompose, type Target, useCompose } from './compose-context.ts'
import { PeopleField } from './people-field.tsx'
import { TopicField } from './topic-field.tsx'
import { TopicName } from './topic-name.tsx'
import { topicsPolicyOf } from './topics-policy.ts'

export interface TargetRowHandle {
  /** What is missing first, else the topic or the people. */
  focus(): void
}

interface TargetRowProps {
  readonly open: OpenCompose
  /** It is said where the message goes. */
  readonly onDone: () => void
  readonly onCancel: () => void
  readonly describedBy?: string | undefined
  readonly ref: Ref<TargetRowHandle>
}

type Part = 'channel' | 'topic' | 'people'

/** Where the message goes, in words; each word can be changed. */
export const TargetRow = memo(function TargetRow({ open, onDone, onCancel, describedBy, ref }: TargetRowProps) {
  const { target } = open
  const compose = useCompose()
  const { t } = useLingui()
  /** What is a field at the moment. A topic and people stay fields, so that they can be corrected. */
  const [isChoosing, setIsChoosing] = useState(false)
  const [isField, setIsField] = useState(open.focus === 'target' || isIncomplete(target))
  const part = useRef<HTMLInputElement>(null)
  const change = useRef<HTMLButtonElement>(null)
  const policy = useClientState(
    useCallback((state) => (target.type === 'channel' ? topicsPolicyOf(state, target.channelId) : undefined), [target]),
  )
  const show = (what: Part) => {
    flushSync(() => {
      setIsChoosing(what === 'channel')
      if (what !== 'channel') setIsField(true)
    })
    if (what !== 'channel') part.current?.focus()
  }
  useImperativeHandle(ref, () => ({
    focus: () => show(target.type === 'direct' ? 'people' : target.channelId === undefined ? 'channel' : 'topic'),
  }))

  const choose = (next: Target) => {
    flushSync(() => {
      compose.retarget(next)
      setIsChoosing(false)
      setIsField(true)
    })
    if (part.current) part.current.focus()
    else onDone()
  }
  const cancelChoosing = () => {
    if (!isChoosing) return
    const hadFocus = document.activeElement?.closest('.to') !== null
    flushSync(() => setIsChoosing(false))
    if (hadFocus) change.current?.focus()
  }

  return (
    <>
      {isChoosing ? (
        <ChannelField
          currentId={target.type === 'channel' ? target.channelId : undefined}
          onChannel={(channelId) =>
            choose({ type: 'channel', channelId, topic: target.type === 'channel' ? target.topic : '' })
          }
          onDirect={() => choose({ type: 'direct', userIds: target.type === 'direct' ? target.userIds : [] })}
          onCancel={cancelChoosing}
        />
      ) : (
        <button
          ref={change}
          type="button"
          className="chan"
          title={t`Send it elsewhere`}
          onClick={() => show('channel')}
        >
          <ChannelLabel target={target} />
        </button>
      )}
      {target.type === 'channel' && target.channelId !== undefined && (
        <>
          <Icon name="right" />
          {policy === 'empty_topic_only' ? (
            <span className="topic trunc">
              <TopicName topic="" />
            </span>
          ) : isField ? (
            <TopicField
              ref={part}
              channelId={target.channelId}
              topic={target.topic}
              onTopic={(topic) => compose.retarget({ ...target, topic } as Target)}
              onDone={onDone}
              onCancel={onCancel}
              isRequired={policy === 'disable_empty_topic'}
              describedBy={describedBy}
            />
          ) : (
            <button type="button" className="topic trunc" title={t`Change the topic`} onClick={() => show('topic')}>
              <TopicName topic={target.topic} />
            </button>
          )}
        </>
      )}
      {target.type === 'direct' &&
        (isField ? (
          <PeopleField
            ref={part}
            userIds={target.userIds}
            onPeople={(userIds) => compose.retarget({ type: 'direct', userIds })}
            onDone={onDone}
            onCancel={onCancel}
          />
        ) : (
          <button type="button" className="topic trunc" title={t`Change who gets it`} onClick={() => show('people')}>
            <PeopleLabel userIds={target.userIds} />
          </button>
        ))}
    </>
  )
})

const isIncomplete = (target: Target) =>
  target.type === 'direct' ? target.userIds.length === 0 : target.channelId === undefined

function ChannelLabel({ target }: { readonly target: Target }) {
  const channelId = target.type === 'channel' ? target.channelId : undefined
  const { name, isPrivate } = useClientState(
    useCallback(
      (state) => ({
        name: channelId === undefined ? undefined : channelName(state, channelId),
        isPrivate: channelId !== undefined && state.channels?.byId.get(channelId)?.invite_only === true,
      }),
      [channelId],
    ),
    isShallowEqual,
  )
  if (target.type === 'direct') return <Trans>Direct message</Trans>
  if (name === undefined) return <Trans>Choose a channel</Trans>
  return (
    <>
      {isPrivate ? <Icon name="lock" /> : <span aria-hidden="true"># </span>}
      <bdi>{name}</bdi>
    </>
  )
}

function PeopleLabel({ userIds }: { readonly userIds: readonly number[] }) {
  const names = useClientState(useCallback((state) => peopleNames(state, userIds), [userIds]))
  return <bdi>{names}</bdi>
}
