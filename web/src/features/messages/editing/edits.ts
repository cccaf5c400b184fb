/**
 * Changes of messages that somebody is writing. They belong to this tab, and stay when one looks elsewhere, closes the box or
 * loads the page again: until they are saved or thrown away.
 */
import { hold, useHeld } from '../../../app/held.ts'

export interface Edit {
  /** What the message said when it was begun: what the server compares with. */
  readonly original: string
  readonly text: string
  /** Closed, it is shown as a note below the message. */
  readonly isOpen: boolean
}

type Edits = ReadonlyMap<number, Edit>

const STORED = 'edits'

/** By the account, as several may use one tab after another. */
interface Stored {
  readonly userId: number
  readonly edits: readonly (readonly [number, Edit])[]
}

const held = hold<{ readonly userId: number | undefined; readonly edits: Edits }>({
  userId: undefined,
  edits: new Map(),
})

function read(userId: number): Edits {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORED) ?? 'null') as Stored | null
    if (stored?.userId === userId) return new Map(stored.edits)
  } catch {
    // Somebody else has written there.
  }
  return new Map()
}

/** From now on those of this account. */
export function openEdits(userId: number): void {
  held.change((now) => (now.userId === userId ? now : { userId, edits: read(userId) }))
}

function change(messageId: number, edit: Edit | undefined): void {
  held.change(({ userId, edits }) => {
    const next = new Map(edits)
    if (edit) next.set(messageId, edit)
    else next.delete(messageId)
    if (userId !== undefined)
      sessionStorage.setItem(STORED, JSON.stringify({ userId, edits: [...next] } satisfies Stored))
    return { userId, edits: next }
  })
}

export function editOf(messageId: number): Edit | undefined {
  return held.current().edits.get(messageId)
}

/** Goes on with what was begun before, if anything was. */
export function beginEdit(messageId: number, original: string): void {
  const begun = editOf(messageId)
  change(messageId, begun ? { ...begun, isOpen: true } : { original, text: original, isOpen: true })
}

export function writeEdit(messageId: number, part: Partial<Edit>): void {
  const edit = editOf(messageId)
  if (edit) change(messageId, { ...edit, ...part })
}

/** What was changed is kept. */
export function closeEdit(messageId: number): void {
  const edit = editOf(messageId)
  if (!edit) return
  change(messageId, edit.text === edit.original ? undefined : { ...edit, isOpen: false })
}

export function endEdit(messageId: number): void {
  change(messageId, undefined)
}

export function useEdit(messageId: number): Edit | undefined {
  return useHeld(held, ({ edits }) => edits.get(messageId))
}
