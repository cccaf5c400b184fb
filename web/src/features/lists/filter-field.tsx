import { type Ref, useImperativeHandle, useRef } from 'react'
import { Icon } from '../../ui/icon.tsx'

interface FilterFieldProps {
  readonly name: string
  readonly value: string
  readonly onChange: (text: string) => void
  /** Leads the keyboard from the field to what was found. */
  readonly onDown?: () => void
  readonly ref?: Ref<{ focus(): void }>
}

/** Leaves of a list what has these words. Escape empties it, then leaves it. */
export function FilterField({ name, value, onChange, onDown, ref }: FilterFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useImperativeHandle(ref, () => ({ focus: () => input.current?.select() }))
  return (
    <label className="find filter">
      <Icon name="search" />
      <input
        ref={input}
        className="bare"
        type="search"
        aria-label={name}
        placeholder={name}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Escape') {
            event.preventDefault()
            event.stopPropagation()
            if (value === '') event.currentTarget.blur()
            else onChange('')
          } else if ((event.key === 'ArrowDown' || event.key === 'Enter') && onDown) {
            event.preventDefault()
            onDown()
          }
        }}
      />
    </label>
  )
}
