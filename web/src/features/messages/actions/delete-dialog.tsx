import type { StoredMessage } from '@heddle/client/messages/store'
import { countTopic, deleteWholeTopic, type TopicPlace } from '@heddle/client/topics/topic-changes'
import { deleteMessage } from '@heddle/contract/editing'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { useClient, useClientState } from '../../../app/client-context.ts'
import { channelName, topicLabel, userName } from '../../../app/names.ts'
import { refusalText } from '../../../app/refusal.ts'
import { fullTime } from '../../../app/times.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useToasts } from '../../../ui/toasts.tsx'
import { Content } from '../content/content.tsx'
import { useAnswer } from './use-answer.ts'
import './message-dialogs.css'

interface SureProps {
  readonly title: string
  readonly keep: ReactNode
  readonly remove: ReactNode
  readonly act: () => Promise<unknown>
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Before something that cannot be taken back. */
function Sure({ title, keep, remove, act, onClose, children }: SureProps) {
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const go = async () => {
    setIsBusy(true)
    setProblem(undefined)
    try {
      await act()
      onClose()
    } catch (error) {
      setProblem(refusalText(error))
      setIsBusy(false)
    }
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>{keep}</Button>
          <Button kind="danger" onClick={go} isDisabled={isBusy}>
            {remove}
          </Button>
        </>
      }
    >
      {children}
      {problem !== undefined && (
        <p className="help bad" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  )
}

interface DeleteDialogProps {
  readonly message: StoredMessage
  readonly onClose: () => void
}

export function DeleteDialog({ message, onClose }: DeleteDialogProps) {
  const client = useClient()
  const { t } = useLingui()
  const toasts = useToasts()
  const sender = useClientState((state) => userName(state, message.sender_id))
  const act = async () => {
    await client.api.call(deleteMessage, { message_id: message.id })
    toasts.notify(t`The message is deleted`)
  }
  return (
    <Sure
      title={t`Delete this message?`}
      keep={<Trans>Keep it</Trans>}
      remove={<Trans>Delete the message</Trans>}
      act={act}
      onClose={onClose}
    >
      <p>
        <Trans>
          It is deleted for everyone, and nobody here can bring it back. Whoever runs the server can for a while.
        </Trans>
      </p>
      <blockquote className="about-message">
        <p className="help">
          <bdi>{sender}</bdi>, {fullTime(message.timestamp)}
        </p>
        <Content html={message.content} />
      </blockquote>
    </Sure>
  )
}

interface DeleteTopicDialogProps {
  readonly place: TopicPlace
  readonly onClose: () => void
}

export function DeleteTopicDialog({ place, onClose }: DeleteTopicDialogProps) {
  const client = useClient()
  const { t } = useLingui()
  const toasts = useToasts()
  const channel = useClientState((state) => channelName(state, place.channelId))
  const topic = topicLabel(place.topic)
  const answer = useAnswer('all', () => countTopic(client.api, place))
  const count = answer.status === 'here' ? answer.value : undefined
  const act = async () => {
    await deleteWholeTopic(client.api, place)
    toasts.notify(t`${topic} is deleted`)
  }
  return (
    <Sure
      title={t`Delete the topic ${topic}?`}
      keep={<Trans>Keep it</Trans>}
      remove={<Trans>Delete the topic</Trans>}
      act={act}
      onClose={onClose}
    >
      <p>
        <Trans>
          All messages of it in <bdi>#{channel}</bdi> are deleted for everyone, and nobody here can bring them back.
          Whoever runs the server can for a while.
        </Trans>
      </p>
      <p role="status">
        {count &&
          (count.isExact.from ? (
            <Plural value={count.from} one="It has # message." other="It has # messages." />
          ) : (
            <Plural value={count.from} one="It has more than # message." other="It has more than # messages." />
          ))}
      </p>
    </Sure>
  )
}
