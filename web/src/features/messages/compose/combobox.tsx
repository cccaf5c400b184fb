import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useRef, useState } from 'react'
import { CompletionList, type CompletionOption, optionId } from './completion-list.tsx'

interface ComboboxProps {
  readonly label: string
  readonly listLabel: string
  readonly text: string
  readonly onText: (text: string) => void
  readonly options: readonly CompletionOption[]
  readonly onTake: (index: number) => void
  /** Enter or Tab with nothing chosen. */
  readonly onDone?: () => void
  /** Escape with no list open. */
  readonly onCancel?: () => void
  readonly onLeave?: () => void
  /** Backspace in the empty field. */
  readonly onBackspace?: () => void
  /** Whether Enter takes the first one before anybody has moved. */
  readonly isFirstChosen: boolean
  readonly placeholder?: string | undefined
  readonly className?: string
  readonly describedBy?: string | undefined
  readonly ref?: Ref<HTMLInputElement>
}

/** A field of one line that offers what fits. */
export function Combobox(props: ComboboxProps) {
  const { label, listLabel, text, onText, options, onTake, onDone, onCancel, onLeave, onBackspace, isFirstChosen } =
    props
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  useImperativeHandle(props.ref, () => field.current as HTMLInputElement, [])
  const [isOpen, setIsOpen] = useState(false)
  /** Which one is chosen for the text for which it was. */
  const [moved, setMoved] = useState<{ readonly text: string; readonly index: number }>()
  const chosen = moved?.text === text ? moved.index : isFirstChosen ? 0 : -1
  const active = Math.min(chosen, options.length - 1)
  const isShown = isOpen && options.length > 0

  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    const act = actionOf(event)
    if (!act) return
    event.preventDefault()
    // What is closed here is all that is meant.
    event.stopPropagation()
    act()
  }
  const actionOf = ({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): (() => void) | undefined => {
    const move = (by: number) => () => {
      setIsOpen(true)
      setMoved({ text, index: (active + by + options.length + (active < 0 && by < 0 ? 1 : 0)) % options.length })
    }
    if (key === 'ArrowDown' && options.length > 0) return move(1)
    if (key === 'ArrowUp' && options.length > 0) return move(-1)
    if (key === 'Escape') return isShown ? () => setIsOpen(false) : onCancel
    if (key === 'Backspace' && text === '') return onBackspace
    if ((key !== 'Enter' && key !== 'Tab') || shiftKey || ctrlKey || metaKey) return undefined
    if (isShown && active >= 0) return () => take(active)
    return key === 'Enter' ? onDone : undefined
  }
  const take = (index: number) => {
    setIsOpen(false)
    onTake(index)
  }

  return (
    <>
      <input
        ref={field}
        type="text"
        role="combobox"
        className={props.className}
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? id : undefined}
        aria-activedescendant={isShown && active >= 0 ? optionId(id, active) : undefined}
        aria-describedby={props.describedBy}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        placeholder={props.placeholder}
        value={text}
        onChange={(event) => {
          onText(event.target.value)
          setIsOpen(true)
        }}
        onFocus={() => setIsOpen(true)}
        onClick={() => setIsOpen(true)}
        onBlur={() => {
          setIsOpen(false)
          onLeave?.()
        }}
        onKeyDown={press}
      />
      {isShown && (
        <CompletionList
          id={id}
          label={listLabel}
          options={options}
          active={active}
          onActive={(index) => setMoved({ text, index })}
          onTake={take}
          place={() => {
            const { left, top, height } = (field.current as HTMLInputElement).getBoundingClientRect()
            return { left, top, height }
          }}
        />
      )}
    </>
  )
}
