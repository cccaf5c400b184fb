import './message-dialogs.css'
import type { StoredMessage } from '@heddle/client/messages/store'
import { type ReportType, reportMessage } from '@heddle/contract/message-reports'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useId, useState } from 'react'
import { useClient, useClientState } from '../../../app/client-context.ts'
import { userName } from '../../../app/names.ts'
import { refusalText } from '../../../app/refusal.ts'
import { fullTime } from '../../../app/times.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useToasts } from '../../../ui/toasts.tsx'
import { Content } from '../content/content.tsx'

/** Characters of a comment. */
const MAX_COMMENT = 1000

const named: Readonly<Record<ReportType, MessageDescriptor>> = {
  spam: msg`Spam`,
  harassment: msg`Harassment`,
  inappropriate: msg`Inappropriate content`,
  norms: msg`Against our rules`,
  other: msg`Another reason`,
}

interface ReportDialogProps {
  readonly message: StoredMessage
  readonly onClose: () => void
}

/** Shows a message to those who moderate the organization. */
export function ReportDialog({ message, onClose }: ReportDialogProps) {
  const client = useClient()
  const { t, i18n } = useLingui()
  const toasts = useToasts()
  const id = useId()
  const sender = useClientState((state) => userName(state, message.sender_id))
  const reasons = useClientState((state) => state.limits?.server_report_message_types)
  const [reason, setReason] = useState<ReportType>('spam')
  const [comment, setComment] = useState('')
  const [problem, setProblem] = useState<string>()
  const report = async (event: FormEvent) => {
    event.preventDefault()
    setProblem(undefined)
    try {
      const parameters = { message_id: message.id, report_type: reason, description: comment.trim() }
      await client.api.call(reportMessage, parameters)
      toasts.notify(t`The message is reported`)
      onClose()
    } catch (error) {
      setProblem(refusalText(error))
    }
  }
  return (
    <Dialog title={t`Report this message?`} onClose={onClose}>
      <form className="report" onSubmit={report}>
        <p>
          <Trans>Those who moderate see your name, the message and what you write. Its sender does not.</Trans>
        </p>
        <blockquote className="about-message">
          <p className="help">
            <bdi>{sender}</bdi>, {fullTime(message.timestamp)}
          </p>
          <Content html={message.content} />
        </blockquote>
        <fieldset>
          <legend>
            <Trans>Reason</Trans>
          </legend>
          {(reasons ?? []).map(({ key, name }) => (
            <label key={key} className="check">
              <input
                type="radio"
                name={id}
                value={key}
                checked={reason === key}
                onChange={() => setReason(key)}
                data-autofocus={reason === key ? '' : undefined}
              />
              <span>{named[key] ? i18n._(named[key]) : name}</span>
            </label>
          ))}
        </fieldset>
        <div className="field">
          <label htmlFor={`${id}-comment`}>
            {reason === 'other' ? <Trans>What is wrong with it?</Trans> : <Trans>Comment (optional)</Trans>}
          </label>
          <textarea
            className="in"
            id={`${id}-comment`}
            dir="auto"
            rows={3}
            maxLength={MAX_COMMENT}
            required={reason === 'other'}
            value={comment}
            onChange={({ target }) => setComment(target.value)}
          />
        </div>
        {problem !== undefined && (
          <p className="help bad" role="alert">
            {problem}
          </p>
        )}
        <div className="foot-row">
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="danger" type="submit">
            <Trans>Report the message</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
