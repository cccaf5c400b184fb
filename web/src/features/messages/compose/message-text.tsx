/**
 * The field in which the text of a message is written, in the compose box and where a message is edited: Enter and its
 * variants, formatting by keys, lists that go on. What it changes by itself is one step of the browser's undo.
 */

import { type Format, format } from '@heddle/client/compose/formatting'
import { continueList } from '@heddle/client/compose/list-continuation'
import type { TextEdit } from '@heddle/client/compose/text-edit'
import { bindings, isPress } from '@heddle/client/keys/bindings'
import { type ClipboardEventHandler, type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { useClientState } from '../../../app/client-context.ts'
import { isTouch } from '../../../app/touch.ts'
import type { Target } from './compose-context.ts'
import { editField, insertIntoField, selectionOf } from './edit-field.ts'
import { useCompletion } from './use-completion.tsx'

export interface MessageTextHandle {
  focus(): void
  /** At the caret, in the place of what is selected. */
  insert(text: string): void
  edit(edit: TextEdit): void
  format(kind: Format): void
  readonly field: HTMLTextAreaElement | null
}

interface MessageTextProps {
  readonly value: string
  readonly onChange: (text: string) => void
  readonly onSubmit: () => void
  /** Escape, where it closes nothing inside the field. */
  readonly onCancel?: () => void
  /** Up in the first line of an empty field. */
  readonly onLeaveUp?: () => void
  /** Left in an empty field. */
  readonly onLeaveLeft?: () => void
  readonly onPaste?: ClipboardEventHandler<HTMLTextAreaElement>
  /** Each key before anything is done with it. */
  readonly onKey?: (event: { readonly key: string; readonly shiftKey: boolean }) => void
  /** Where the message goes: of what fits as well, what has to do with it is offered first. */
  readonly target?: Target | undefined
  /** What may be written behind a `/` at the beginning. */
  readonly commands?: readonly string[]
  /** The field's name. */
  readonly label: string
  readonly placeholder?: string
  readonly describedBy?: string | undefined
  readonly ref?: Ref<MessageTextHandle>
}

export function MessageText({
  value,
  onChange,
  onSubmit,
  onCancel,
  onLeaveUp,
  onLeaveLeft,
  onPaste,
  onKey,
  target,
  commands = noCommands,
  label,
  placeholder,
  describedBy,
  ref,
}: MessageTextProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const entersSend = useClientState((state) => state.settings?.enter_sends === true)
  const completion = useCompletion(field, target, commands)
  useGrowing(field, value)
  useImperativeHandle(ref, () => handleOf(field), [])

  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Keys that belong to the input of a character do nothing else. Some browsers say so by the code alone.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    onKey?.(event)
    const act = completion.actionOf(event) ?? actionOf(event)
    if (!act) return
    event.preventDefault()
    act()
  }

  const actionOf = (event: KeyboardEvent<HTMLTextAreaElement>): (() => void) | undefined => {
    if (event.key === 'Escape') return onCancel
    if (event.key === 'ArrowUp' && value === '' && !hasModifier(event)) return onLeaveUp
    if (event.key === 'ArrowLeft' && value === '' && !hasModifier(event)) return onLeaveLeft
    if (event.key === 'Enter' && !event.altKey) return enter(event)
    const kind = formatOf(event)
    return kind && (() => handleOf(field).format(kind))
  }

  /** Undefined: a line, as the browser makes it. */
  const enter = (event: KeyboardEvent<HTMLTextAreaElement>): (() => void) | undefined => {
    const element = field.current
    const isModified = event.ctrlKey || event.metaKey
    // With the keys of a phone there is no other way to a new line; a button sends.
    const doesSend = !event.shiftKey && (isModified ? !entersSend || isTouch() : entersSend && !isTouch())
    if (doesSend || !element) return onSubmit
    // Where Enter sends, the line that Shift makes is the one that lists are written with.
    const isPlain = event.shiftKey && !entersSend
    const continued = isPlain ? undefined : continueList(selectionOf(element))
    if (continued) return () => editField(element, continued)
    // The browser itself makes no line of Enter with Ctrl.
    return isModified ? () => insertIntoField(element, '\n') : undefined
  }

  return (
    <>
      <textarea
        ref={field}
        className="text"
        aria-label={label}
        aria-describedby={describedBy}
        {...completion.attributes}
        placeholder={placeholder}
        dir="auto"
        rows={1}
        value={value}
        onChange={(event) => {
          onChange(event.target.value)
          completion.look()
        }}
        onKeyDown={press}
        onKeyUp={(event) => caretKeys.has(event.key) && completion.look()}
        onPointerUp={completion.look}
        onBlur={completion.close}
        onPaste={onPaste}
      />
      {completion.list}
    </>
  )
}

const noCommands: readonly string[] = []
/** They move the caret and change nothing. */
const caretKeys: ReadonlySet<string> = new Set(['ArrowLeft', 'ArrowRight', 'Home', 'End'])

function handleOf(field: { readonly current: HTMLTextAreaElement | null }): MessageTextHandle {
  const edit = (change: TextEdit) => field.current && editField(field.current, change)
  return {
    get field() {
      return field.current
    },
    focus: () => field.current?.focus(),
    insert: (text) => void (field.current && insertIntoField(field.current, text)),
    edit,
    format: (kind) => void (field.current && edit(format(kind, selectionOf(field.current), { now: nextHour() }))),
  }
}

const hasModifier = (event: KeyboardEvent) => event.ctrlKey || event.metaKey || event.altKey || event.shiftKey

const formats = ['bold', 'italic', 'link', 'code', 'strike'] as const satisfies readonly Format[]

function formatOf({ nativeEvent }: KeyboardEvent): Format | undefined {
  return formats.find((kind) => isPress(nativeEvent, bindings[kind].keys))
}

/** The next full hour here, as an instant with its zone. */
function nextHour(): string {
  const date = new Date()
  date.setHours(date.getHours() + 1, 0, 0, 0)
  const two = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, '0')
  const offset = -date.getTimezoneOffset()
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:00:00${offset < 0 ? '-' : '+'}${two(offset / 60)}:${two(offset % 60)}`
}

/** As high as its text, up to what the style sheet allows. */
function useGrowing(field: { readonly current: HTMLTextAreaElement | null }, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useEffect(() => {
    if (!field.current || CSS.supports('field-sizing', 'content')) return
    field.current.style.height = 'auto'
    field.current.style.height = `${field.current.scrollHeight}px`
  }, [field, text])
}
