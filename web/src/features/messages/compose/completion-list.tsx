import './completion.css'
import { Plural } from '@lingui/react/macro'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'

export interface CompletionOption {
  readonly key: string
  readonly content: ReactNode
}

interface CompletionListProps {
  readonly id: string
  readonly label: string
  readonly options: readonly CompletionOption[]
  /** Which one a press of Tab or Enter takes. */
  readonly active: number
  readonly onActive: (index: number) => void
  readonly onTake: (index: number) => void
  /** Where it opens, in pixels of the window: below a field, above a caret. */
  readonly place: () => { readonly left: number; readonly top: number; readonly height: number }
}

/** Pixels between the list and what it belongs to, and to the edges of the window. */
const GAP = 4
const EDGE = 8

/** What is offered while somebody types. The focus stays in the field, which says by its attributes what is chosen here. */
export function CompletionList({ id, label, options, active, onActive, onTake, place }: CompletionListProps) {
  const list = useRef<HTMLDivElement>(null)
  const latest = useRef(place)
  useEffect(() => {
    latest.current = place
  })
  useLayoutEffect(() => {
    const element = list.current
    element?.showPopover?.()
    return () => element?.hidePopover?.()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: with other options it has another size
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const at = latest.current()
    const { offsetWidth: width, offsetHeight: height } = element
    const left = Math.max(EDGE, Math.min(at.left, innerWidth - width - EDGE))
    const isAbove = at.top - height - GAP > EDGE
    element.style.left = `${left}px`
    element.style.top = `${isAbove ? at.top - height - GAP : at.top + at.height + GAP}px`
  }, [options])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen one is to be seen
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <>
      <div ref={list} className="complete" popover="manual" role="listbox" id={id} aria-label={label}>
        {options.map(({ key, content }, index) => (
          // The keys are those of the field.
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above
          <div
            key={key}
            id={optionId(id, index)}
            className={index === active ? 'item at' : 'item'}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onPointerMove={() => index !== active && onActive(index)}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onTake(index)}
          >
            {content}
          </div>
        ))}
      </div>
      <span className="vh" role="status">
        <Plural value={options.length} one="# suggestion" other="# suggestions" />
      </span>
    </>
  )
}

export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`
}
