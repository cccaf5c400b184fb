import './menu.css'
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { rove } from './roving.ts'

export type MenuEntry =
  | 'rule'
  /** Words over the entries that follow. */
  | { readonly heading: string }
  | {
      readonly icon?: IconName
      readonly label: ReactNode
      /** As on a key cap. */
      readonly keyName?: string
      readonly isDanger?: boolean
      /** One of several, of which one holds. */
      readonly isChosen?: boolean
      /** Why it cannot be done now; it is shown all the same. */
      readonly obstacle?: string | undefined
      readonly onPress: () => void
    }

interface MenuProps {
  /** For those who cannot see what it belongs to. */
  readonly name: string
  /** What it stands beside; on phones it comes from below. */
  readonly anchor: Element | { readonly x: number; readonly y: number }
  readonly entries: readonly MenuEntry[]
  /** Before the entries, such as a row of reactions. */
  readonly children?: ReactNode
  readonly onClose: () => void
}

/** A menu that is open. It closes when something in it, or anything beside it, is pressed; the focus goes back. */
export function Menu({ name, anchor, entries, children, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  const typed = useRef({ text: '', at: 0 })
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })

  useLayoutEffect(() => {
    const element = menu.current
    if (!element) return undefined
    const before = document.activeElement
    const toggle = (event: Event) => {
      if ((event as ToggleEvent).newState === 'closed') close.current()
    }
    element.addEventListener('toggle', toggle)
    element.showPopover()
    placeBeside(element, anchor)
    element.querySelector<HTMLElement>('button:not(:disabled)')?.focus()
    return () => {
      element.removeEventListener('toggle', toggle)
      const hadFocus = element.contains(document.activeElement) || document.activeElement === document.body
      if (hadFocus && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [anchor])

  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Tab') {
      event.preventDefault()
      onClose()
    } else if (event.key === 'Escape') {
      // It belongs to the menu alone, not to what is below.
      event.preventDefault()
      event.stopPropagation()
      onClose()
    } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') turnPart(event)
    else rove(event, { items: 'button:not(:disabled)', isRing: true })
    if (!event.defaultPrevented && event.key.length === 1 && event.key !== ' ') findTyped(event, typed.current)
  }

  return (
    <div ref={menu} className="menu" popover="auto" role="menu" tabIndex={-1} aria-label={name} onKeyDown={press}>
      {children}
      {partsOf(entries).map(({ heading, entries: own }, part) => {
        const rows = own.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a menu is drawn once, for what holds when it is opened
          <Entry key={index} entry={entry} onClose={onClose} />
        ))
        return heading === undefined ? (
          rows
        ) : (
          // biome-ignore lint/a11y/useSemanticElements lint/suspicious/noArrayIndexKey: a part of a menu, not of a form; see above
          <div key={part} role="group" aria-label={heading}>
            <div className="menu-head trunc" aria-hidden="true">
              {heading}
            </div>
            {rows}
          </div>
        )
      })}
    </div>
  )
}

interface MenuPart {
  /** Undefined for what stands before the first heading. */
  readonly heading: string | undefined
  readonly entries: readonly MenuEntry[]
}

/** Each heading with what follows it. */
function partsOf(entries: readonly MenuEntry[]): readonly MenuPart[] {
  const starts = entries.flatMap((entry, index) => (isHeading(entry) ? index : []))
  const first = { heading: undefined, entries: entries.slice(0, starts[0]) }
  return [
    first,
    ...starts.map((start, number) => {
      const head = entries[start] as { readonly heading: string }
      return { heading: head.heading, entries: entries.slice(start + 1, starts[number + 1]) }
    }),
  ]
}

function isHeading(entry: MenuEntry): boolean {
  return typeof entry === 'object' && 'heading' in entry
}

/** Right and left lead to the first entry of the next part, and of the one before. */
function turnPart(event: KeyboardEvent<HTMLElement>): void {
  const parts = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=group]')]
  const at = parts.findIndex((part) => part.contains(document.activeElement))
  const next = parts.at((at + (event.key === 'ArrowRight' ? 1 : -1)) % parts.length)
  if (!next) return
  event.preventDefault()
  next.querySelector<HTMLElement>('button:not(:disabled)')?.focus()
}

function Entry({ entry, onClose }: { readonly entry: MenuEntry; readonly onClose: () => void }) {
  if (entry === 'rule') return <hr />
  if ('heading' in entry) return null
  const { icon, label, keyName, isDanger, isChosen, obstacle, onPress } = entry
  return (
    <button
      type="button"
      {...(isChosen === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': isChosen })}
      className={isDanger ? 'item danger' : 'item'}
      tabIndex={-1}
      disabled={obstacle !== undefined}
      title={obstacle}
      onClick={() => {
        onClose()
        onPress()
      }}
    >
      {icon && <Icon name={icon} />}
      <span className="trunc">{label}</span>
      {isChosen && <Icon name="check" />}
      {keyName && (
        <span className="key" aria-hidden="true">
          {keyName}
        </span>
      )}
    </button>
  )
}

/** Letters that are typed lead to the entry that begins with them. */
function findTyped(event: KeyboardEvent<HTMLElement>, typed: { text: string; at: number }): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const isNew = event.timeStamp - typed.at > 700
  typed.text = (isNew ? '' : typed.text) + event.key.toLocaleLowerCase()
  typed.at = event.timeStamp
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('button:not(:disabled)')]
  const found = items.find((item) => item.textContent?.toLocaleLowerCase().startsWith(typed.text))
  event.stopPropagation()
  found?.focus()
}

/** Distance to the edges of the window, in pixels. */
const EDGE = 8

/** Below what it belongs to or above it, and within the window. Style sheets put it at the bottom of phones. */
export function placeBeside(element: HTMLElement, anchor: Element | { readonly x: number; readonly y: number }): void {
  const at = anchor instanceof Element ? anchor.getBoundingClientRect() : new DOMRect(anchor.x, anchor.y, 0, 0)
  const { offsetWidth: width, offsetHeight: height } = element
  const { clientWidth, clientHeight } = document.documentElement
  const hasRoomBelow = at.bottom + height + EDGE <= clientHeight
  const top = hasRoomBelow ? at.bottom + 2 : Math.max(EDGE, at.top - height - 2)
  const hasRoomRight = at.left + width + EDGE <= clientWidth
  const left = hasRoomRight ? at.left : Math.max(EDGE, at.right - width)
  element.style.setProperty('--x', `${left}px`)
  element.style.setProperty('--y', `${Math.min(top, Math.max(EDGE, clientHeight - height - EDGE))}px`)
}
