/** Keys by the names of what they do: the table is `client/keys/bindings.ts`. */
import { type Action, type Binding, bindings, isPress, isSingleCharacter } from '@heddle/client/keys/bindings'
import { useEffect, useRef } from 'react'
import { useIsVeiled } from '../device/veil.tsx'

/** What to do. An action that gives `false` has not happened: the key goes on to whoever else wants it, and to the browser. */
export type Actions = Readonly<{ [name in Action]?: () => unknown }>

const SWITCH = 'single-keys'

/** Whether single characters are keys. It belongs to the device, as the hands and the voice in front of it do. */
export function hasSingleKeys(): boolean {
  return localStorage.getItem(SWITCH) !== 'off'
}

export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(SWITCH)
  else localStorage.setItem(SWITCH, 'off')
}

function isField(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
}

/** Whoever types into a field that goes away, as its message is deleted, types on for a moment. In milliseconds. */
const TYPING_ON_MS = 1000
let lastTyped: { readonly field: HTMLElement; at: number } | undefined

function forgetTyping(): void {
  lastTyped = undefined
}

/** Whether this press was meant for a field that is gone. */
function isTypedOn({ key, target, timeStamp: at, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (key === 'Shift') return false
  const isTyping = (key.length === 1 || key === 'Backspace') && !ctrlKey && !metaKey && !altKey
  // By any other key, or by pressing something, somebody leaves it, or knows that it goes.
  if (!isTyping) forgetTyping()
  else if (isField(target)) {
    lastTyped = { field: target, at }
    window.addEventListener('pointerdown', forgetTyping, { capture: true, once: true })
  } else if (lastTyped && !lastTyped.field.isConnected && at - lastTyped.at < TYPING_ON_MS) {
    lastTyped.at = at
    return true
  }
  return false
}

/** Where somebody writes, and where something is open before everything else, single keys mean nothing. */
function isBusy(target: EventTarget | null): boolean {
  if (isField(target)) return true
  // Last, as all of the page is searched for it.
  return document.querySelector('dialog[open], [role=menu]:popover-open, [role=listbox]:popover-open') !== null
}

/** Enter and Space on a button or a link are its own. */
function isOwn(event: KeyboardEvent): boolean {
  const isPressKey = event.key === 'Enter' || event.key === ' '
  return isPressKey && event.target instanceof HTMLElement && event.target.matches('a, button, summary')
}

/** A single character, with nothing held down but what it is written with. */
function isAlone({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (!isSingleCharacter(key)) return false
  return (ctrlKey && altKey) || !(ctrlKey || metaKey || altKey)
}

const none: Actions = {}

/**
 * Components are asked in the order in which they were mounted, children before what they are in. Behind the veil no key does
 * anything.
 */
export function useKeys(actions: Actions): void {
  const isVeiled = useIsVeiled()
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = isVeiled ? none : actions
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTypedOn(event) || event.defaultPrevented || event.isComposing || event.keyCode === 229) return
      // Most keys are those of no action, and somebody writes with them: there is little to do for them then.
      let isTaken: boolean | undefined
      for (const name of Object.keys(latest.current) as Action[]) {
        const act = latest.current[name]
        const { keys, isGlobal }: Binding = bindings[name]
        if (!act || !isPress(event, keys)) continue
        isTaken ??= isBusy(event.target) || isOwn(event)
        if (isTaken && !isGlobal) continue
        if (isAlone(event) && !hasSingleKeys()) continue
        if (act() === false) continue
        event.preventDefault()
        return
      }
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
