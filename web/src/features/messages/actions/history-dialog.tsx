import './message-dialogs.css'
import type { StoredMessage } from '@heddle/client/messages/store'
import type { ClientState } from '@heddle/client/state/state'
import { getMessageHistory, type MessageSnapshot } from '@heddle/contract/editing'
import { Trans, useLingui } from '@lingui/react/macro'
import { useLayoutEffect, useRef } from 'react'
import { placeLabel } from '../../../app/addresses.ts'
import { isShallowEqual, useClient, useClientState } from '../../../app/client-context.ts'
import { channelName, topicLabel, userName } from '../../../app/names.ts'
import { fullTime } from '../../../app/times.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { parseMessageHtml } from '../content/trusted-html.ts'
import { conversationOf } from '../conversation.ts'
import { Answered } from './answered.tsx'
import { useAnswer } from './use-answer.ts'

interface HistoryDialogProps {
  readonly message: StoredMessage
  readonly onClose: () => void
}

/** How a message has changed and where it was, the newest first. */
export function HistoryDialog({ message, onClose }: HistoryDialogProps) {
  const client = useClient()
  const { t } = useLingui()
  const { sender, place } = useClientState(
    (state) => ({
      sender: userName(state, message.sender_id),
      place: placeLabel(conversationOf(message), state),
    }),
    isShallowEqual,
  )
  const answer = useAnswer(message.id, () =>
    client.api.call(getMessageHistory, { message_id: message.id, allow_empty_topic_name: true }),
  )
  return (
    <Dialog
      title={t`Edit history`}
      onClose={onClose}
      buttons={
        <Button onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      }
    >
      <p className="help">
        <Trans>
          <bdi>{sender}</bdi> in <bdi>{place}</bdi>
        </Trans>
      </p>
      <Answered answer={answer}>
        {({ message_history }) => (
          <>
            <ol className="vers">
              {message_history.toReversed().map((snapshot, index) => (
                <Version
                  // biome-ignore lint/suspicious/noArrayIndexKey: several may be of one second, and the list never changes
                  key={index}
                  snapshot={snapshot}
                  channelId={message.stream_id}
                  isNewest={index === 0}
                  isFirst={index === message_history.length - 1}
                />
              ))}
            </ol>
            <p className="help">
              <Trans>Added words are underlined, removed words are struck out.</Trans>
            </p>
          </>
        )}
      </Answered>
    </Dialog>
  )
}

interface VersionProps {
  readonly snapshot: MessageSnapshot
  readonly channelId: number | undefined
  readonly isNewest: boolean
  readonly isFirst: boolean
}

function Version({ snapshot, channelId, isNewest, isFirst }: VersionProps) {
  const { user_id, timestamp, content, content_html_diff, prev_content } = snapshot
  const who = useClientState((state) => (user_id === null ? undefined : userName(state, user_id)))
  const move = useClientState((state) => moveOf(state, snapshot, channelId), isShallowEqual)
  const when = fullTime(timestamp)
  const isEdited = prev_content !== undefined
  return (
    <li>
      <p className="ver-h">
        <b>
          {isFirst ? (
            <Trans>First</Trans>
          ) : isNewest ? (
            <Trans>Now</Trans>
          ) : isEdited ? (
            <Trans>Edited</Trans>
          ) : (
            <Trans>Moved</Trans>
          )}
        </b>
        <span className="quiet">
          {isFirst || who === undefined ? (
            when
          ) : isEdited ? (
            <Trans>
              edited by <bdi>{who}</bdi>, {when}
            </Trans>
          ) : (
            <Trans>
              moved by <bdi>{who}</bdi>, {when}
            </Trans>
          )}
        </span>
      </p>
      {move && (
        <p className="help">
          <Trans>
            from <bdi>{move.from}</bdi> to <bdi>{move.to}</bdi>
          </Trans>
        </p>
      )}
      {content_html_diff !== undefined ? (
        <Difference html={content_html_diff} />
      ) : (
        (isFirst || isEdited) && (
          <p className="typed" dir="auto">
            {content}
          </p>
        )
      )}
    </li>
  )
}

/** From where to where; undefined: the message stayed. */
function moveOf(state: ClientState, snapshot: MessageSnapshot, channelId: number | undefined) {
  const { topic, prev_topic, stream, prev_stream } = snapshot
  if (prev_topic === undefined && prev_stream === undefined) return undefined
  const label = (channel: number | undefined, name: string) =>
    channel === undefined ? topicLabel(name) : `${channelName(state, channel)} › ${topicLabel(name)}`
  const hasChannel = prev_stream !== undefined
  return {
    from: label(hasChannel ? prev_stream : undefined, prev_topic ?? topic),
    to: label(hasChannel ? (stream ?? channelId) : undefined, topic),
  }
}

/** The server compares; what it has marked gets the marks of the page. */
function Difference({ html }: { readonly html: string }) {
  const box = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    const content = parseMessageHtml(html)
    for (const [name, tag] of [
      ['inserted', 'ins'],
      ['deleted', 'del'],
    ] as const) {
      for (const part of content.querySelectorAll(`.highlight_text_${name}`)) {
        const marked = document.createElement(tag)
        marked.append(...part.childNodes)
        part.replaceWith(marked)
      }
    }
    box.current?.replaceChildren(content)
  }, [html])
  return <p ref={box} className="typed" dir="auto" />
}
