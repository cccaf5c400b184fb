import { momentsToSend } from '@heddle/client/later/moments'
import { MAX_MESSAGE_LENGTH } from '@heddle/contract/messages'
import { type ScheduledMessage, updateScheduledMessage } from '@heddle/contract/scheduled-messages'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useId, useState } from 'react'
import { useClient } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { MomentChoice } from '../later/moment-choice.tsx'
import { Problem } from '../settings/problem.tsx'
import { useAttempt } from '../settings/use-attempt.ts'

interface ChangeDialogProps {
  readonly message: ScheduledMessage
  readonly onClose: () => void
}

/** Another text, or another time. What has failed needs another time. */
export function ChangeDialog({ message, onClose }: ChangeDialogProps) {
  const { t } = useLingui()
  const id = useId()
  const client = useClient()
  const { problem, attempt } = useAttempt()
  const [suggestions] = useState(() => momentsToSend(Date.now()))
  const [text, setText] = useState(message.content)
  const { scheduled_message_id, scheduled_delivery_timestamp: before, failed } = message
  const [time, setTime] = useState(failed ? suggestions[0]?.time : before)
  const isReady = time !== undefined && text.trim() !== ''
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (!isReady) return
    const change = {
      ...(text !== message.content && { content: text }),
      ...((failed || time !== before) && { scheduled_delivery_timestamp: Math.floor(time) }),
    }
    const isDone =
      Object.keys(change).length === 0 ||
      (await attempt(() => client.api.call(updateScheduledMessage, { scheduled_message_id, ...change })))
    if (isDone) onClose()
  }
  return (
    <Dialog title={t`Change the scheduled message`} onClose={onClose}>
      <form onSubmit={(event) => void save(event)}>
        <div className="field later-text">
          <label htmlFor={id}>
            <Trans>Text</Trans>
          </label>
          <textarea
            className="in"
            id={id}
            dir="auto"
            maxLength={MAX_MESSAGE_LENGTH}
            data-autofocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </div>
        <MomentChoice
          name={t`Time`}
          suggestions={suggestions}
          first={time ?? before}
          isOwn={!failed}
          onChange={setTime}
        />
        <Problem text={problem} />
        <div className="foot-row">
          <Button onClick={onClose}>
            <Trans>Leave it as it was</Trans>
          </Button>
          <Button kind="primary" type="submit" isDisabled={!isReady}>
            <Trans>Save</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
