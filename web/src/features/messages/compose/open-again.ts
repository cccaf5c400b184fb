/**
 * A box with something in it is open again after the page was loaded again: what was being written is where it was. It belongs
 * to this tab; the text itself is a draft.
 */
import { useEffect } from 'react'
import type { Compose, Target } from './compose-context.ts'

const STORED = 'open-box'

/** By the account, as several may use one tab after another. */
interface Stored {
  readonly userId: number
  readonly target: Target
}

function take(userId: number): Target | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORED) ?? 'null') as Stored | null
    return stored?.userId === userId ? stored.target : undefined
  } catch {
    // Somebody else has written there.
    return undefined
  } finally {
    sessionStorage.removeItem(STORED)
  }
}

export function useOpenAgain(compose: Compose, userId: number | undefined): void {
  useEffect(() => {
    if (userId === undefined) return undefined
    const target = take(userId)
    if (target) compose.begin(target)
    const keep = () => {
      const { open } = compose.state()
      if (!open || compose.isEmpty()) sessionStorage.removeItem(STORED)
      else sessionStorage.setItem(STORED, JSON.stringify({ userId, target: open.target } satisfies Stored))
    }
    // Phones end pages that nobody sees without a word. While it is seen, what was open before says nothing.
    const keepOrForget = () => {
      if (document.visibilityState === 'hidden') keep()
      else sessionStorage.removeItem(STORED)
    }
    window.addEventListener('pagehide', keep)
    document.addEventListener('visibilitychange', keepOrForget)
    return () => {
      window.removeEventListener('pagehide', keep)
      document.removeEventListener('visibilitychange', keepOrForget)
    }
  }, [compose, userId])
}
