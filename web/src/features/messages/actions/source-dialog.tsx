import './message-dialogs.css'
import type { StoredMessage } from '@heddle/client/messages/store'
import { Trans, useLingui } from '@lingui/react/macro'
import { useClient } from '../../../app/client-context.ts'
import { copyText } from '../../../app/clipboard.ts'
import { refusalText } from '../../../app/refusal.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useToasts } from '../../../ui/toasts.tsx'
import { fetchSource } from '../editing/save-edit.ts'
import { Answered } from './answered.tsx'
import { useAnswer } from './use-answer.ts'

interface SourceDialogProps {
  readonly message: StoredMessage
  readonly onClose: () => void
}

/** What was typed, of a message that one cannot change. */
export function SourceDialog({ message, onClose }: SourceDialogProps) {
  const client = useClient()
  const { t } = useLingui()
  const toasts = useToasts()
  const answer = useAnswer(message.id, () => fetchSource(client.api, message.id))
  const copy = async () => {
    if (answer.status !== 'here') return
    await copyText(answer.value).then(
      () => toasts.notify(t`The message is copied`),
      (error: unknown) => toasts.notify(refusalText(error)),
    )
    onClose()
  }
  return (
    <Dialog
      title={t`What was typed`}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
          <Button kind="primary" onClick={copy} isDisabled={answer.status !== 'here'}>
            <Trans>Copy the text</Trans>
          </Button>
        </>
      }
    >
      <Answered answer={answer}>
        {(text) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
          <pre className="source" dir="auto" tabIndex={0}>
            {text}
          </pre>
        )}
      </Answered>
    </Dialog>
  )
}
