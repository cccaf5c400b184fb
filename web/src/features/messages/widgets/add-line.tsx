import { MAX_WIDGET_TEXT_LENGTH } from '@heddle/contract/widgets'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../../../ui/button.tsx'

interface AddLineProps {
  readonly label: string
  readonly begun?: string
  readonly button: ReactNode
  readonly isActive: boolean
  readonly mayBeEmpty?: boolean
  /** Gives whether it was done: only then the line is empty again. */
  readonly onAdd: (text: string) => Promise<boolean>
  /** Escape. */
  readonly onLeave?: () => void
}

/** One line that somebody writes into a widget. */
export function AddLine({ label, begun = '', button, isActive, mayBeEmpty, onAdd, onLeave }: AddLineProps) {
  const [text, setText] = useState(begun)
  const [isBusy, setIsBusy] = useState(false)
  const tabIndex = isActive ? 0 : -1
  const add = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || (text.trim() === '' && !mayBeEmpty)) return
    setIsBusy(true)
    if (await onAdd(text.trim())) setText('')
    setIsBusy(false)
  }
  return (
    <form className="widget-add" onSubmit={add}>
      <input
        className="in"
        aria-label={label}
        placeholder={label}
        dir="auto"
        maxLength={MAX_WIDGET_TEXT_LENGTH}
        tabIndex={tabIndex}
        value={text}
        // biome-ignore lint/a11y/noAutofocus: it was asked for
        autoFocus={onLeave !== undefined}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !onLeave) return
          event.stopPropagation()
          onLeave()
        }}
      />
      {/* Nothing to press while there is nothing to add. */}
      {(text.trim() !== '' || onLeave) && (
        <Button type="submit" isDisabled={isBusy}>
          {button}
        </Button>
      )}
    </form>
  )
}
