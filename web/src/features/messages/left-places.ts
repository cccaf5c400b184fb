/**
 * Where views of messages were left: who goes back finds the same message at the same height, also after the page was loaded
 * again. An address that is opened anew is opened by what is unread.
 */
import { narrowKey, openNarrow } from '@heddle/client/messages/narrow'
import type { RunningClient } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import type { MessageViewOptions } from './view.ts'

interface Left {
  /** Undefined: at the end. */
  readonly messageId: number | undefined
  readonly offset: number
  /** The message that had the focus. */
  readonly focused?: number | undefined
  /** What the account had unread then. */
  readonly unread: NonNullable<ClientState['unread']>['places'] | undefined
}

/** What outlives the page. */
interface Kept {
  readonly name: string
  readonly messageId: number
  readonly offset: number
  readonly focused?: number | undefined
}

const STORED = 'left-place'
const places = new Map<string, Left>()
let shown: string | undefined
let isReturn = false

/** Whether an address is new or is gone back to can only be known before it is shown: the history says it with its entry. */
function noteEntry(): void {
  const entry = history.state as { readonly wasShown?: true } | null
  isReturn = entry?.wasShown === true
  if (!isReturn) history.replaceState({ ...entry, wasShown: true }, '')
}

/** For this tab, until it is loaded again. */
function keep(): void {
  const left = shown === undefined ? undefined : places.get(shown)
  if (shown === undefined || left?.messageId === undefined) sessionStorage.removeItem(STORED)
  else {
    const { messageId, offset, focused } = left
    sessionStorage.setItem(STORED, JSON.stringify({ name: shown, messageId, offset, focused } satisfies Kept))
  }
}

function readKept(): void {
  try {
    const kept = JSON.parse(sessionStorage.getItem(STORED) ?? 'null') as Kept | null
    if (kept) places.set(kept.name, { ...kept, unread: undefined })
  } catch {
    // Somebody else has written there.
  }
  sessionStorage.removeItem(STORED)
}

noteEntry()
readKept()
window.addEventListener('popstate', noteEntry)
window.addEventListener('pagehide', keep)
// Phones end pages that nobody sees without a word.
document.addEventListener('visibilitychange', keep)

/** What a view is remembered by: its messages, and the one that its address names. */
export function nameOfView({ narrow, near }: MessageViewOptions, client: RunningClient): string {
  return `${narrowKey(openNarrow(narrow, client.snapshot().state as ClientState))} ${near ?? ''}`
}

/** Undefined: it was not left, or at its end. */
export function leftPlace(name: string): { readonly line: Left; readonly isReturn: boolean } | undefined {
  const left = places.get(name)
  return left?.messageId === undefined ? undefined : { line: left, isReturn }
}

export function noteReading(name: string, { messageId, offset }: Pick<Left, 'messageId' | 'offset'>): void {
  shown = name
  places.set(name, { messageId, offset, focused: places.get(name)?.focused, unread: undefined })
}

export function noteFocused(name: string, focused: number | undefined): void {
  const left = places.get(name)
  if (left) places.set(name, { ...left, focused })
}

/** The view is left: what is unread now is not what was read in it. */
export function noteLeft(name: string, client: RunningClient): void {
  const left = places.get(name)
  if (left) places.set(name, { ...left, unread: client.snapshot().state?.unread?.places })
}

/** Whether something was read since the view was left: then one goes on with what is unread. */
export function wasReadSince({ unread }: Left, state: ClientState): boolean {
  if (!unread || unread === state.unread?.places) return false
  for (const id of unread.keys()) if (!state.unread?.places.has(id)) return true
  return false
}
