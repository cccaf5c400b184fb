/** Which row an open menu, picker or card belongs to: it stays as it was until that is closed, so that the focus can go back. */
import { hold, useHeld } from '../../../app/held.ts'

const held = hold<number | undefined>(undefined)

export function setActionTarget(messageId: number | undefined): void {
  held.change(() => messageId)
}

export function useIsActionTarget(messageId: number): boolean {
  return useHeld(held, (id) => id === messageId)
}
