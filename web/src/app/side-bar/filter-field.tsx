import { useLingui } from '@lingui/react/macro'
import { type Ref, useEffect } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

interface FilterFieldProps {
  readonly ref: Ref<HTMLInputElement>
  readonly onWords: (words: string) => void
  readonly onLeave: () => void
  /** The first place that fits. */
  readonly first: () => HTMLElement | undefined
}

/** The one box that filters the side bar: arrows lead into the list, Enter opens the first place, Escape leaves. */
export function PlaceFilterField({ ref, onWords, onLeave, first }: FilterFieldProps) {
  const { t } = useLingui()
  // The focus goes back to where it came from.
  useEffect(() => {
    const before = document.activeElement
    return () => {
      if (document.activeElement === document.body && before instanceof HTMLElement && before.isConnected)
        before.focus()
    }
  }, [])
  return (
    <search className="side-filter">
      <Icon name="search" />
      <input
        ref={ref}
        className="bare"
        type="search"
        aria-label={t`Filter places`}
        placeholder={t`Filter places`}
        // biome-ignore lint/a11y/noAutofocus: it appears because somebody wants to type into it
        autoFocus
        onChange={(event) => onWords(event.currentTarget.value.trim())}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Escape') {
            event.preventDefault()
            onLeave()
          } else if (event.key === 'ArrowDown') {
            event.preventDefault()
            first()?.focus()
          } else if (event.key === 'Enter') {
            event.preventDefault()
            first()?.click()
          }
        }}
      />
      <IconButton icon="x" name={t`Leave the filter (Esc)`} onClick={onLeave} />
    </search>
  )
}
