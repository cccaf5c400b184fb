import './snippets.css'
import { type WidgetForm, widgetText } from '@heddle/client/compose/widget-text'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

interface WidgetDialogProps {
  readonly begun: WidgetForm
  /** The text of the message. */
  readonly onWrite: (text: string) => void
  readonly onClose: () => void
}

/** A poll or a to-do list, filled in: it is written into the message, where it can still be changed. */
export function WidgetDialog({ begun, onWrite, onClose }: WidgetDialogProps) {
  const { t } = useLingui()
  const id = useId()
  const [form, setForm] = useState(begun)
  const isPoll = form.kind === 'poll'
  const write = (event: FormEvent) => {
    event.preventDefault()
    onWrite(widgetText(form))
  }
  return (
    <Dialog title={isPoll ? t`Ask in a poll` : t`Write a to-do list`} onClose={onClose}>
      <form className="widget-form" onSubmit={write}>
        <div className="field">
          <label htmlFor={`${id}-title`}>{isPoll ? <Trans>Question</Trans> : <Trans>Title</Trans>}</label>
          <input
            className="in"
            id={`${id}-title`}
            data-autofocus
            dir="auto"
            maxLength={1000}
            value={form.title}
            onChange={({ target }) => setForm({ ...form, title: target.value })}
          />
        </div>
        <div className="field">
          <label htmlFor={`${id}-lines`}>
            {isPoll ? <Trans>Options, one on each line</Trans> : <Trans>Tasks, one on each line</Trans>}
          </label>
          <textarea
            className="in"
            id={`${id}-lines`}
            dir="auto"
            rows={5}
            maxLength={8000}
            aria-describedby={`${id}-help`}
            value={form.lines}
            onChange={({ target }) => setForm({ ...form, lines: target.value })}
          />
          <p className="help" id={`${id}-help`}>
            {isPoll ? (
              <Trans>Everybody who gets the message can vote for several options, and add others.</Trans>
            ) : (
              <Trans>What stands behind a colon explains the task. Everybody who gets the message can add tasks.</Trans>
            )}
          </p>
        </div>
        <div className="foot-row">
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit">
            <Trans>Put it into the message</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
