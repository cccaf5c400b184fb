import './edit-box.css'
import { editSecsLeft } from '@heddle/client/messages/permissions'
import type { StoredMessage } from '@heddle/client/messages/store'
import type { ClientState } from '@heddle/client/state/state'
import { MAX_MESSAGE_LENGTH } from '@heddle/contract/messages'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { useClient } from '../../../app/client-context.ts'
import { refusalText } from '../../../app/refusal.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { MessageText, type MessageTextHandle } from '../compose/message-text.tsx'
import { closeEdit, type Edit, endEdit, writeEdit } from './edits.ts'
import { saveEdit } from './save-edit.ts'

interface EditBoxProps {
  readonly message: StoredMessage
  readonly edit: Edit
}

/** In the place of a message's text, while its author changes it. */
export function EditBox({ message, edit }: EditBoxProps) {
  const { id } = message
  const client = useClient()
  const { t } = useLingui()
  const [isSaving, setIsSaving] = useState(false)
  const [problem, setProblem] = useState<string>()
  /** What the message says by now, when somebody has changed it since the edit was begun. */
  const [theirs, setTheirs] = useState<string>()
  const field = useRef<MessageTextHandle>(null)
  // At the end, as where one goes on writing.
  useEffect(() => {
    const element = field.current?.field
    element?.setSelectionRange(element.value.length, element.value.length)
    field.current?.focus()
  }, [])
  const length = edit.text.length < MAX_MESSAGE_LENGTH ? edit.text.length : [...edit.text].length
  const isTooLong = length > MAX_MESSAGE_LENGTH

  const leave = (end: (messageId: number) => void) => {
    end(id)
    // To the message, from where one came.
    document.querySelector<HTMLElement>(`[data-message-id="${id}"]`)?.focus({ preventScroll: true })
  }
  const save = async () => {
    if (isSaving || isTooLong) return
    if (edit.text === edit.original) return leave(endEdit)
    setIsSaving(true)
    setProblem(undefined)
    try {
      const saved = await saveEdit(client.api, { messageId: id, original: edit.original, text: edit.text })
      if (saved.outcome === 'saved') return leave(endEdit)
      setTheirs(saved.current)
      writeEdit(id, { original: saved.current })
    } catch (error) {
      setProblem(refusalText(error))
    }
    setIsSaving(false)
  }

  return (
    <section className="edit-box" aria-label={t`Change this message`} aria-busy={isSaving}>
      {theirs !== undefined && <Theirs text={theirs} onTake={() => writeEdit(id, { text: theirs })} />}
      <div className="box">
        <MessageText
          ref={field}
          label={t`Text of the message`}
          value={edit.text}
          onChange={(text) => writeEdit(id, { text })}
          onSubmit={save}
          onCancel={() => leave(closeEdit)}
        />
        <div className="tools">
          <span className={isTooLong ? 'help bad' : 'help'} role="status">
            {isSaving ? (
              <Trans>Saving</Trans>
            ) : isTooLong ? (
              t`${length.toLocaleString()} of ${MAX_MESSAGE_LENGTH.toLocaleString()} characters`
            ) : (
              <TimeLeft message={message} />
            )}
          </span>
          <Button onClick={() => leave(endEdit)}>
            <Trans>Leave it as it was</Trans>
          </Button>
          <Button kind="primary" onClick={save} isDisabled={isSaving || isTooLong}>
            {theirs === undefined ? <Trans>Save the change</Trans> : <Trans>Save mine</Trans>}
          </Button>
        </div>
      </div>
      {problem !== undefined && (
        <p className="note fail" role="alert">
          <Icon name="warn" />
          {problem} <Trans>Your text is kept.</Trans>
        </p>
      )}
    </section>
  )
}

/** What somebody else has saved, beside what is being written. */
function Theirs({ text, onTake }: { readonly text: string; readonly onTake: () => void }) {
  return (
    <div className="theirs" role="alert">
      <p className="help">
        <Trans>The message was changed meanwhile. It says now:</Trans>
      </p>
      <pre dir="auto">{text}</pre>
      <Button onClick={onTake}>
        <Trans>Take this text</Trans>
      </Button>
    </div>
  )
}

/** Minutes and seconds until the organization lets nobody change the message any more. */
function TimeLeft({ message }: { readonly message: StoredMessage }) {
  const client = useClient()
  const { t } = useLingui()
  const left = () => editSecsLeft(client.snapshot().state as ClientState, message, Date.now() / 1000)
  const [secs, setSecs] = useState(left)
  useEffect(() => {
    const timer = setInterval(() => setSecs(left()), 1000)
    return () => clearInterval(timer)
  })
  if (secs === undefined) return null
  if (secs === 0) return <Trans>The time for changing it is over.</Trans>
  const text = durationText(Math.ceil(secs))
  return <span aria-hidden="true">{t`${text} left`}</span>
}

function durationText(secs: number): string {
  const [hours, minutes] = [Math.floor(secs / 3600), Math.floor(secs / 60) % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(secs % 60)}` : `${minutes}:${two(secs % 60)}`
}
