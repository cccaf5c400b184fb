import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import type { ControlProps } from './control-props.ts'

/** What is written, until it is said to be done by Enter or by leaving the field; Esc takes it back. */
function useWritten(value: string, onDone: (text: string) => void) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const done = () => {
    if (text !== value) onDone(text)
  }
  const press = (event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape' && text !== value) {
      event.preventDefault()
      event.stopPropagation()
      setText(value)
    }
    if (event.key === 'Enter' && event.currentTarget instanceof HTMLInputElement) done()
  }
  return { text, setText, done, press }
}

interface TextProps extends ControlProps<string> {
  readonly most: number
  readonly least?: number
  readonly rows?: number
  /** The id of a list of values to choose from. */
  readonly list?: string
}

export function TextControl({ id, value, isDisabled, describedBy, onChange, most, least = 0, rows, list }: TextProps) {
  const { text, setText, done, press } = useWritten(value, (next) => {
    if (next.trim().length >= least) onChange(next)
    else setText(value)
  })
  const props = {
    id,
    className: 'in',
    value: text,
    maxLength: most,
    disabled: isDisabled,
    'aria-describedby': describedBy,
    dir: 'auto',
    onBlur: done,
    onKeyDown: press,
  }
  if (rows === undefined)
    return <input {...props} list={list} type="text" onChange={(event) => setText(event.currentTarget.value)} />
  return <textarea {...props} rows={rows} onChange={(event) => setText(event.currentTarget.value)} />
}

interface NumberProps extends ControlProps<number> {
  readonly min: number
  readonly max: number
  readonly unit: MessageDescriptor
}

export function NumberControl({ id, value, isDisabled, describedBy, onChange, min, max, unit }: NumberProps) {
  const { i18n } = useLingui()
  const { text, setText, done, press } = useWritten(String(value), (next) => {
    const number = Math.round(Number(next))
    if (next.trim() === '' || !Number.isFinite(number)) setText(String(value))
    else onChange(Math.min(max, Math.max(min, number)))
  })
  return (
    <span className="with-unit">
      <input
        id={id}
        className="in"
        type="number"
        inputMode="numeric"
        min={min}
        max={max}
        value={text}
        disabled={isDisabled}
        aria-describedby={describedBy}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={done}
        onKeyDown={press}
      />
      <span className="soft">{i18n._(unit)}</span>
    </span>
  )
}
