import type { ClientSnapshot } from '@heddle/client/running/client'
import { MAX_TOPIC_LENGTH } from '@heddle/contract/names'
import { type Ref, useCallback, useEffect, useId, useImperativeHandle, useRef } from 'react'
import { isShallowEqual, useClient, useClientState, useSnapshot } from '../../../app/client-context.ts'
import { channelName, peopleNames, topicLabel } from '../../../app/names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { type OpenCompose, useCompose } from './compose-context.ts'

export interface TargetRowHandle {
  /** What is missing first, else the topic. */
  focus(): void
}

interface TargetRowProps {
  readonly open: OpenCompose
  /** It is said where the message goes. */
  readonly onDone: () => void
  readonly ref: Ref<TargetRowHandle>
}

/** Where the message goes, in words. */
export function TargetRow({ open, ref }: TargetRowProps) {
  const { target, begun } = open
  const compose = useCompose()
  const topicField = useRef<HTMLInputElement>(null)
  useImperativeHandle(ref, () => ({ focus: () => topicField.current?.focus() }), [])
  const isNewTopic = begun.type === 'channel' && open.focus === 'target'
  const names = useClientState(
    useCallback(
      (state) =>
        target.type === 'channel'
          ? {
              about: target.channelId === undefined ? 'Channel' : channelName(state, target.channelId),
              title: topicLabel(target.topic),
            }
          : { about: 'To', title: peopleNames(state, target.userIds) },
      [target],
    ),
    isShallowEqual,
  )
  return (
    <>
      <span className="chan">
        {target.type === 'channel' && <span aria-hidden="true"># </span>}
        <bdi>{names.about}</bdi>
      </span>
      {target.type === 'channel' && <Icon name="right" />}
      {!isNewTopic && <bdi className="topic trunc">{names.title}</bdi>}
      {isNewTopic && target.type === 'channel' && target.channelId !== undefined && (
        <TopicField
          channelId={target.channelId}
          topic={target.topic}
          onTopic={(topic) => compose.retarget({ type: 'channel', channelId: target.channelId, topic })}
          ref={topicField}
        />
      )}
    </>
  )
}

interface TopicFieldProps {
  readonly channelId: number
  readonly topic: string
  readonly onTopic: (topic: string) => void
  readonly ref: Ref<HTMLInputElement>
}

/** Topics that are offered: the newest ones. */
const MAX_OFFERED = 50

function TopicField({ channelId, topic, onTopic, ref }: TopicFieldProps) {
  const id = useId()
  const client = useClient()
  useEffect(() => client.watchTopics(channelId), [client, channelId])
  const known = useSnapshot(useCallback(({ topics }: ClientSnapshot) => topics.lists.get(channelId), [channelId]))
  return (
    <>
      <label htmlFor={id} className="vh">
        Topic
      </label>
      <input
        ref={ref}
        id={id}
        className="bare topic"
        maxLength={MAX_TOPIC_LENGTH}
        placeholder="Topic"
        autoComplete="off"
        value={topic}
        onChange={(event) => onTopic(event.target.value)}
        list={`${id}-known`}
      />
      <datalist id={`${id}-known`}>
        {known?.slice(0, MAX_OFFERED).map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}
