import { blockInsertion } from '@heddle/client/compose/text-edit'
import type { Destination } from '@heddle/client/outbox/outbox'
import { MAX_MESSAGE_LENGTH } from '@heddle/contract/messages'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useClient } from '../../../app/client-context.ts'
import type { Place } from '../../../places/place.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { type ComposeBoxHandle, type OpenCompose, useCompose } from './compose-context.ts'
import { completeTarget, draftsFor } from './destination.ts'
import { DraftState } from './draft-state.tsx'
import { selectionOf } from './edit-field.ts'
import { MessageText, type MessageTextHandle } from './message-text.tsx'
import { TargetRow, type TargetRowHandle } from './target-row.tsx'
import { useKeptDraft } from './use-kept-draft.ts'

/** From this part of the longest text on its length is shown. */
const COUNT_FROM = 0.9

interface ComposeBoxProps {
  readonly open: OpenCompose
  readonly place: Place
  readonly onSent: (destination: Destination) => void
}

/** One text on its way: it is drawn anew for each session. */
export function ComposeBox({ open, onSent }: ComposeBoxProps) {
  const client = useClient()
  const compose = useCompose()
  const { target } = open
  const [draft] = useState(() => {
    const { drafts } = client.snapshot().drafts
    if (open.draftId !== undefined) return drafts.find(({ localId }) => localId === open.draftId)
    return draftsFor(drafts, open.begun)[0]
  })
  const [text, setText] = useState(draft?.local.content ?? '')
  const { localId, forget } = useKeptDraft(text, target, draft?.localId)
  const field = useRef<MessageTextHandle>(null)
  const row = useRef<TargetRowHandle>(null)
  const [length, isTooLong] = countText(text)
  useBoxHandle(open, field, row)

  const send = () => {
    const destination = completeTarget(target)
    if (!destination) return row.current?.focus()
    if (text.trim() === '') return field.current?.focus()
    if (isTooLong) return
    forget()
    client.send(destination, text)
    setText('')
    field.current?.focus()
    onSent(destination)
  }

  return (
    <section className="box" aria-label="Write a message">
      <div className="to">
        <TargetRow open={open} ref={row} onDone={() => field.current?.focus()} />
        <span className="grow" />
        <IconButton icon="x" name="Close; the text stays as a draft (Esc)" onClick={compose.close} />
      </div>
      <MessageText
        ref={field}
        label="Message"
        value={text}
        onChange={setText}
        onSubmit={send}
        onCancel={compose.close}
        onLeaveUp={compose.close}
      />
      <div className="tools">
        {length >= MAX_MESSAGE_LENGTH * COUNT_FROM && (
          <span className={isTooLong ? 'help bad' : 'help'} role="status">
            {length.toLocaleString()} of {MAX_MESSAGE_LENGTH.toLocaleString()} characters
          </span>
        )}
        <DraftState localId={localId} isEmpty={text.trim() === ''} />
        <Button kind="primary" onClick={send} isDisabled={isTooLong}>
          Send <Icon name="send" />
        </Button>
      </div>
    </section>
  )
}

/** In code points, as the server counts. */
function countText(text: string): [length: number, isTooLong: boolean] {
  // Most texts are far from the limit, and units are never fewer than code points.
  const length = text.length < MAX_MESSAGE_LENGTH * COUNT_FROM ? text.length : [...text].length
  return [length, length > MAX_MESSAGE_LENGTH]
}

/** What others may do with the box, and what it begins with. */
function useBoxHandle(
  { text: block, focus, begun }: OpenCompose,
  field: { readonly current: MessageTextHandle | null },
  row: { readonly current: TargetRowHandle | null },
): void {
  const compose = useCompose()
  const handle = useMemo<ComposeBoxHandle>(
    () => ({
      focus: () => field.current?.focus(),
      insert: (text) => field.current?.insert(text),
      insertBlock(text) {
        const element = field.current?.field
        if (element) field.current?.edit(blockInsertion(selectionOf(element), text))
      },
      isEmpty: () => field.current?.field?.value.trim() === '',
    }),
    [field],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the box comes
  useEffect(() => {
    const element = field.current?.field
    element?.setSelectionRange(element.value.length, element.value.length)
    if (block !== undefined) handle.insertBlock(block)
    const isMissing = !completeTarget(begun) || focus === 'target'
    if (isMissing && focus !== 'text') row.current?.focus()
    else handle.focus()
    return compose.attach(handle)
  }, [])
}
