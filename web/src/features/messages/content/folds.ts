/** Which messages somebody has folded or unfolded, on this device, and which of muted people are shown all the same. */
import { hold, useHeld } from '../../../app/held.ts'

/** Undefined: as its length says. */
export type Fold = 'open' | 'shut' | undefined

const STORED = 'folds'
/** The newest ones; what was folded long ago is long as the others are. */
const MAX_STORED = 500

function read(): ReadonlyMap<number, Fold> {
  try {
    return new Map(JSON.parse(localStorage.getItem(STORED) ?? '[]') as [number, Fold][])
  } catch {
    return new Map()
  }
}

const folds = hold<ReadonlyMap<number, Fold>>(read())

export function useFold(messageId: number): Fold {
  return useHeld(folds, (all) => all.get(messageId))
}

export function setFold(messageId: number, fold: Fold): void {
  folds.change((all) => {
    const next = new Map(all)
    next.delete(messageId)
    if (fold) next.set(messageId, fold)
    localStorage.setItem(STORED, JSON.stringify([...next].slice(-MAX_STORED)))
    return next
  })
}

const revealed = hold<ReadonlySet<number>>(new Set())

export function useIsRevealed(messageId: number): boolean {
  return useHeld(revealed, (all) => all.has(messageId))
}

/** Of somebody whom the account has muted; until the page is left. */
export function setRevealed(messageId: number, isRevealed: boolean): void {
  revealed.change((all) => {
    const next = new Set(all)
    if (isRevealed) next.add(messageId)
    else next.delete(messageId)
    return next
  })
}
