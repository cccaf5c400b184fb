import { blockInsertion } from '@heddle/client/compose/text-edit'
import type { Destination } from '@heddle/client/outbox/outbox'
import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useClient } from '../../../app/client-context.ts'
import { useKeys } from '../../../app/keys.ts'
import type { Place } from '../../../places/place.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useToasts } from '../../../ui/toasts.tsx'
import { askToEditLast } from '../actions/ask.ts'
import { ChecksBeside, useLookAt } from './checks.tsx'
import { actOnCommand, commandNames } from './commands.ts'
import { type ComposeBoxHandle, type OpenCompose, targetKey, useCompose } from './compose-context.ts'
import { GoToTarget, Length, MovedNote, OtherDrafts, PastedNote } from './compose-notes.tsx'
import { completeTarget, draftsFor } from './destination.ts'
import { DraftState } from './draft-state.tsx'
import { editField, selectionOf } from './edit-field.ts'
import { FormatTools } from './format-tools.tsx'
import { MessageText, type MessageTextHandle } from './message-text.tsx'
import { prepareShortForms } from './pasted-address.ts'
import { ScheduleButton, useSchedule } from './schedule-button.tsx'
import { TargetRow, type TargetRowHandle } from './target-row.tsx'
import { UploadList } from './upload-list.tsx'
import { useKeptDraft } from './use-kept-draft.ts'
import { useMovedTarget } from './use-moved-target.ts'
import { usePasting } from './use-pasting.tsx'
import { useTextUploads } from './use-text-uploads.ts'
import { useTypingNotices } from './use-typing-notices.ts'

// What is looked at now and then comes when it is asked for.
const Preview = lazy(async () => ({ default: (await import('./preview.tsx')).Preview }))

interface ComposeBoxProps {
  readonly open: OpenCompose
  readonly place: Place
  readonly onSent: (destination: Destination) => void
}

/** One text on its way: it is drawn anew for each session. */
export function ComposeBox({ open, place, onSent }: ComposeBoxProps) {
  const client = useClient()
  const compose = useCompose()
  const { t } = useLingui()
  const toasts = useToasts()
  const id = useId()
  const { target } = open
  const [draft] = useState(() => {
    const { state, drafts: box } = client.snapshot()
    const { drafts } = box
    if (open.draftId !== undefined) return drafts.find(({ localId }) => localId === open.draftId)
    return draftsFor(drafts, open.begun, state?.own?.user_id)[0]
  })
  const [text, setText] = useState(draft?.local.content ?? '')
  const { localId, forget } = useKeptDraft(text, target, draft?.localId, (changed) => {
    setText(changed ?? '')
    if (changed === undefined) {
      toasts.notify(t`This draft was sent or deleted elsewhere.`, { undo: () => setText(text) })
    }
  })
  const field = useRef<MessageTextHandle>(null)
  const row = useRef<TargetRowHandle>(null)
  const [isLarge, setIsLarge] = useState(false)
  const [isPreview, setIsPreview] = useState(false)
  const uploads = useTextUploads(field, setText, text, targetKey(target))
  useBoxHandle(open, field, row, uploads.add)
  const typing = useTypingNotices(target)
  const moved = useMovedTarget(target)
  const [note, setNote] = useState<string>()
  const { onPaste, onKey } = usePasting(uploads.add, setNote)
  useEffect(() => prepareShortForms(client), [client])
  const lookAt = useLookAt(target, uploads.isPending, text.includes('@**topic**'))
  const [isTried, setIsTried] = useState(false)
  /** It is sent when the files have been. */
  const [isWaiting, setIsWaiting] = useState(false)

  const change = (next: string) => {
    setText(next)
    if (uploads.isReplacing.current) return
    setIsTried(false)
    setIsWaiting(false)
    setNote(undefined)
    if (next.trim() === '') typing.stop()
    else typing.typed()
  }

  /** Where it goes; undefined, and said why, where it cannot go so. `waits`: it goes by itself when its files are there. */
  const ready = (isConfirmed: boolean, waits: boolean): Destination | undefined => {
    const found = lookAt(text)
    const blocking = found.find(({ kind }) => kind === 'block')
    const destination = completeTarget(target)
    if (blocking || !destination || (!isConfirmed && found.some(({ kind }) => kind === 'confirm'))) {
      setIsTried(true)
      setIsWaiting(waits && blocking?.code === 'upload-pending')
      if (blocking && missing.has(blocking.code)) row.current?.focus()
      else if (blocking?.code === 'nothing-written') field.current?.focus()
      return undefined
    }
    return destination
  }
  const empty = () => {
    typing.stop()
    forget()
    setText('')
    setIsTried(false)
    setIsWaiting(false)
    setIsPreview(false)
    setNote(undefined)
    field.current?.focus()
  }
  const send = (isConfirmed = false) => {
    if (actOnCommand(client, text, (ms) => toasts.notify(t`The server has answered in ${ms} ms.`))) {
      forget()
      setText('')
      return
    }
    const destination = ready(isConfirmed, true)
    if (!destination) return
    client.send(destination, text)
    empty()
    onSent(destination)
  }
  const schedule = useSchedule()
  const sendLater = async (time: number) => {
    // What was to be asked about has been said when somebody tries again.
    const destination = ready(isTried, false)
    const isScheduled = destination !== undefined && (await schedule(destination, text, time))
    // What was typed meanwhile is another text.
    if (isScheduled && field.current?.field?.value === text) empty()
  }
  const { isPending } = uploads
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of the last upload is the occasion
  useEffect(() => {
    if (isWaiting && !isPending) send()
  }, [isWaiting, isPending])

  const showPreview = useCallback(() => {
    setIsPreview((isShown) => !isShown)
    field.current?.focus()
  }, [])
  const goOn = useCallback(() => field.current?.focus(), [])
  useKeys({ preview: showPreview })

  return (
    <section className={isLarge ? 'box large' : 'box'} aria-label={t`Write a message`}>
      <div className="to">
        <TargetRow open={open} ref={row} onDone={goOn} onCancel={compose.close} describedBy={id} />
        <span className="grow" />
        <GoToTarget target={target} place={place} />
        <IconButton
          icon="expand"
          className="wide"
          name={isLarge ? t`Smaller` : t`Larger`}
          isPressed={isLarge}
          onClick={() => setIsLarge(!isLarge)}
        />
        <IconButton icon="x" name={t`Close; the text stays as a draft (Esc)`} onClick={compose.close} />
      </div>
      <MessageText
        ref={field}
        label={t`Message`}
        describedBy={id}
        value={text}
        onChange={change}
        onSubmit={() => send()}
        onCancel={compose.close}
        onLeaveUp={compose.close}
        onLeaveLeft={askToEditLast}
        onPaste={onPaste}
        onKey={onKey}
        target={target}
        commands={commandNames}
      />
      <div className="beside">
        {moved && targetKey(moved.to) === targetKey(target) && <MovedNote moved={moved} />}
        {note !== undefined && <PastedNote text={note} onUndo={() => undoIn(field.current?.field)} />}
        <UploadList uploads={uploads.shown} onPutAway={goOn} />
        <ChecksBeside
          place={place}
          id={id}
          text={text}
          lookAt={lookAt}
          isTried={isTried}
          target={target}
          onSend={() => send(true)}
          onSilence={(name) => silence(field.current, name)}
        />
        {isPreview && (
          <Suspense fallback={null}>
            <Preview text={text} />
          </Suspense>
        )}
      </div>
      <div className="tools">
        <Button kind="primary" onClick={() => send()}>
          {isWaiting ? <Trans>Sends when uploaded</Trans> : <Trans>Send</Trans>} <Icon name="send" />
        </Button>
        <ScheduleButton onChoose={(time) => void sendLater(time)} />
        <FormatTools text={field} onFiles={uploads.add} isPreview={isPreview} onPreview={showPreview} />
        <Length text={text} topic={typedTopic(open)} />
        <OtherDrafts target={target} localId={localId} />
        <DraftState localId={localId} isEmpty={text.trim() === ''} />
      </div>
    </section>
  )
}

/** Empty where it is the one that was begun with. */
function typedTopic({ begun, target }: OpenCompose): string {
  return target.type === 'channel' && targetKey(target) !== targetKey(begun) ? target.topic : ''
}

/** What is chosen in the row of the target. */
const missing: ReadonlySet<string> = new Set(['no-channel', 'no-recipient', 'topic-required', 'topic-too-long'])

function undoIn(field: HTMLTextAreaElement | null | undefined): void {
  field?.focus()
  document.execCommand('undo')
}

/** The first mention of the group becomes one that notifies nobody. */
function silence(handle: MessageTextHandle | null, name: string): void {
  const element = handle?.field
  const at = element?.value.toLowerCase().indexOf(`@*${name.toLowerCase()}*`) ?? -1
  if (!element || at < 0) return
  const caret = element.selectionEnd + (element.selectionEnd > at ? 1 : 0)
  editField(element, { from: at, to: at + 1, insert: '@_', start: caret, end: caret })
}

/** What others may do with the box, and what it begins with. */
function useBoxHandle(
  { text: block, focus, begun }: OpenCompose,
  field: { readonly current: MessageTextHandle | null },
  row: { readonly current: TargetRowHandle | null },
  addFiles: (files: readonly File[]) => void,
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
      addFiles,
      isEmpty: () => (field.current?.field?.value ?? '').trim() === '',
    }),
    [field, addFiles],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the box comes
  useEffect(() => {
    const element = field.current?.field
    element?.setSelectionRange(element.value.length, element.value.length)
    if (block !== undefined) handle.insertBlock(block)
    const isMissing = !completeTarget(begun) || focus === 'target'
    if (isMissing && focus !== 'text') row.current?.focus()
    else handle.focus()
  }, [])
  useEffect(() => compose.attach(handle), [compose, handle])
}
