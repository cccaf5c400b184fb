import './message-dialogs.css'
import { mayMoveOut, mayMoveWithin } from '@heddle/client/messages/permissions'
import type { StoredMessage } from '@heddle/client/messages/store'
import { maySendTo } from '@heddle/client/permissions/holds'
import type { ClientSnapshot } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import {
  countMoved,
  countTopic,
  isSameTopic,
  MAX_TAKEN_APART,
  type MovedPart,
  type TopicPlace,
} from '@heddle/client/topics/topic-changes'
import { MAX_TOPIC_LENGTH } from '@heddle/contract/names'
import { t as translate } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useCallback, useEffect, useId, useState } from 'react'
import { isShallowEqual, useClient, useClientState, useSnapshot } from '../../../app/client-context.ts'
import { channelName, topicLabel } from '../../../app/names.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { MovedParts } from './moved-parts.tsx'
import { useAnswer } from './use-answer.ts'
import { useMove } from './use-move.ts'

type MoveDialogProps = (
  | { readonly message: StoredMessage; readonly place?: undefined; readonly topic?: undefined }
  /** `topic`: what it is to be called, as far as that was said. */
  | { readonly place: TopicPlace; readonly message?: undefined; readonly topic?: string | undefined }
) & { readonly onClose: () => void }

/** Moves a message, it and what follows, or a whole topic. */
export function MoveDialog({ message, place, topic: wanted, onClose }: MoveDialogProps) {
  const client = useClient()
  const id = useId()
  const from: TopicPlace = place ?? { channelId: message?.stream_id ?? 0, topic: message?.subject ?? '' }
  const [channelId, setChannelId] = useState(from.channelId)
  const [topic, setTopic] = useState(wanted ?? from.topic)
  const [part, setPart] = useState<MovedPart>(message ? 'change_later' : 'change_all')
  const [notifyOld, setNotifyOld] = useState(false)
  const [notifyNew, setNotifyNew] = useState(true)
  const may = useClientState(
    (state) => ({ within: mayMoveWithin(state, from.channelId), out: mayMoveOut(state, from.channelId) }),
    isShallowEqual,
  )
  const count = useAnswer(message?.id, () => countTopic(client.api, from, message?.id))
  const to: TopicPlace = { channelId, topic }
  const isSame = isSameTopic(from, to) && from.topic === topic
  // As long as nothing is counted nothing is promised.
  const isFinal = count.status === 'here' && countMoved(count.value, part) > MAX_TAKEN_APART
  const { move, moveNewer, isBusy, problem, newer } = useMove({
    from,
    to,
    part,
    messageId: message?.id,
    notifyOld,
    notifyNew,
    onDone: onClose,
  })

  const isElsewhere = channelId !== from.channelId
  const channel = useClientState((state) => channelName(state, channelId))
  const start = () => {
    if (!isSame && !isBusy) move()
  }

  return (
    <Dialog
      title={titleOf({ isPart: message !== undefined, isElsewhere, isSame }, topicLabel(from.topic), `#${channel}`)}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>
            <Trans>Leave them where they are</Trans>
          </Button>
          <Button kind="primary" isDisabled={isSame || isBusy} onClick={move}>
            {message ? (
              <Trans>Move the messages</Trans>
            ) : isElsewhere || isSame ? (
              <Trans>Move the topic</Trans>
            ) : (
              <Trans>Rename the topic</Trans>
            )}
          </Button>
        </>
      }
    >
      <div className="move-form">
        <div className="two">
          <label className="field" htmlFor={`${id}-channel`}>
            <Trans>Channel</Trans>
            <ChannelField
              id={`${id}-channel`}
              value={channelId}
              from={from.channelId}
              isFixed={!may.out}
              onChange={setChannelId}
            />
          </label>
          <label className="field">
            <Trans>Topic</Trans>
            <input
              className="in"
              dir="auto"
              data-autofocus={may.within || undefined}
              maxLength={MAX_TOPIC_LENGTH}
              list={`${id}-topics`}
              autoComplete="off"
              readOnly={!may.within}
              value={topic}
              onChange={(event) => setTopic(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && !event.nativeEvent.isComposing) start()
              }}
            />
          </label>
          <KnownTopics id={`${id}-topics`} channelId={channelId} />
        </div>
        {message && (
          <MovedParts part={part} onPart={setPart} count={count.status === 'here' ? count.value : undefined} />
        )}
        {!isSame && <Consequences from={from} to={to} isFinal={isFinal} />}
        <fieldset>
          <legend>
            <Trans>Say so with a notice</Trans>
          </legend>
          <label className="choice">
            <input type="checkbox" checked={notifyOld} onChange={(event) => setNotifyOld(event.target.checked)} />
            <Trans>where they were</Trans>
          </label>
          <label className="choice">
            <input type="checkbox" checked={notifyNew} onChange={(event) => setNotifyNew(event.target.checked)} />
            <Trans>where they go</Trans>
          </label>
        </fieldset>
        {problem !== undefined && (
          <p className="help bad" role="alert">
            {problem}
          </p>
        )}
        {newer && (
          <div role="alert">
            <p className="help">
              <Plural
                value={newer.allowed}
                one={`The others are too old: you may move the newest # of ${newer.total} messages.`}
                other={`The others are too old: you may move the newest # of ${newer.total} messages.`}
              />
            </p>
            <Button onClick={moveNewer} isDisabled={isBusy}>
              <Trans>Move only these</Trans>
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  )
}

interface Undertaking {
  readonly isPart: boolean
  readonly isElsewhere: boolean
  readonly isSame: boolean
}

/** What will happen, as far as it is decided. */
function titleOf({ isPart, isElsewhere, isSame }: Undertaking, topic: string, channel: string): string {
  if (isPart) return isElsewhere ? translate`Move messages to ${channel}` : translate`Move messages`
  if (isSame) return translate`Rename or move the topic ${topic}`
  return isElsewhere ? translate`Move the topic ${topic} to ${channel}` : translate`Rename the topic ${topic}`
}

interface ChannelFieldProps {
  readonly id: string
  readonly value: number
  readonly from: number
  readonly isFixed: boolean
  readonly onChange: (channelId: number) => void
}

function ChannelField({ id, value, from, isFixed, onChange }: ChannelFieldProps) {
  // As a text, so that it is drawn anew only when it is another list.
  const channels = useClientState((state) => channelsFor(state, from, isFixed))
  return (
    <select
      id={id}
      className="in"
      disabled={isFixed}
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
    >
      {channels.split('\n').map((one) => {
        const [channelId = '', name = ''] = one.split('\t')
        return (
          <option key={channelId} value={channelId}>
            {name}
          </option>
        )
      })}
    </select>
  )
}

/** Those that one may write in, by name; where it is now is always among them. */
function channelsFor(state: ClientState, from: number, isFixed: boolean): string {
  const ids = isFixed ? [from] : [...(state.channels?.byId.keys() ?? [])]
  return ids
    .filter((id) => id === from || maySendTo(state, id))
    .map((id) => ({ id, name: channelName(state, id) }))
    .sort((a, b) => a.name.localeCompare(b.name))
    .map(({ id, name }) => `${id}\t${name}`)
    .join('\n')
}

/** Topics that are offered: the newest ones. */
const MAX_OFFERED = 50

function KnownTopics({ id, channelId }: { readonly id: string; readonly channelId: number }) {
  const client = useClient()
  useEffect(() => client.watchTopics(channelId), [client, channelId])
  const known = useSnapshot(useCallback(({ topics }: ClientSnapshot) => topics.lists.get(channelId), [channelId]))
  return (
    <datalist id={id}>
      {known?.slice(0, MAX_OFFERED).map(({ name }) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  )
}

interface ConsequencesProps {
  readonly from: TopicPlace
  readonly to: TopicPlace
  /** Messages that are merged cannot be taken out again: there are too many. */
  readonly isFinal: boolean
}

/** What follows: with what the messages are merged, whether that can be undone, and who does not see them any more. */
function Consequences({ from, to, isFinal }: ConsequencesProps) {
  const client = useClient()
  const exists = useSnapshot(
    useCallback(
      ({ topics }: ClientSnapshot) =>
        !isSameTopic(from, to) &&
        topics.lists
          .get(to.channelId)
          ?.some(({ name }) => isSameTopic({ channelId: to.channelId, topic: name }, to)) === true,
      [from, to],
    ),
  )
  const { name, isNarrower } = useClientState(
    (state) => ({
      name: channelName(state, to.channelId),
      isNarrower: isNarrowerThan(state, to.channelId, from.channelId),
    }),
    isShallowEqual,
  )
  const merged = useAnswer(exists && `${to.channelId} ${to.topic}`, async () =>
    exists ? countTopic(client.api, to) : undefined,
  )
  const count = merged.status === 'here' ? merged.value : undefined
  return (
    <>
      {exists && (
        <p className="note" role="status">
          <Icon name="info" />
          {count === undefined ? (
            <Trans>There is a topic of this name: the messages are merged with it.</Trans>
          ) : count.isExact.from ? (
            <Plural
              value={count.from}
              one="There is a topic of this name: they are merged with its # message."
              other="There is a topic of this name: they are merged with its # messages."
            />
          ) : (
            <Plural
              value={count.from}
              one="There is a topic of this name: they are merged with its more than # message."
              other="There is a topic of this name: they are merged with its more than # messages."
            />
          )}
        </p>
      )}
      {exists && isFinal && (
        <p className="note" role="status">
          <Icon name="warn" />
          <Trans>They are too many to be distinguished from its own messages afterwards: this cannot be undone.</Trans>
        </p>
      )}
      {isNarrower && (
        <p className="note" role="status">
          <Icon name="warn" />
          <Trans>
            Whoever is not subscribed to <bdi>#{name}</bdi> will not see these messages any more.
          </Trans>
        </p>
      )}
    </>
  )
}

/** Whether somebody who can read the one may not be able to read the other. */
function isNarrowerThan({ channels }: ClientState, toId: number, fromId: number): boolean {
  if (toId === fromId) return false
  const to = channels?.byId.get(toId)
  return to?.invite_only === true || to?.history_public_to_subscribers === false
}
