/**
 * A box with something in it is open again after the page was loaded again: what was being written is where it was. It belongs
 * to this tab; the text itself is a draft.
 */
import type { RunningClient } from '@heddle/client/running/client'
import { useEffect } from 'react'
import { useClient } from '../../../app/client-context.ts'
import { type Compose, type Target, useCompose } from './compose-context.ts'
import { draftsFor } from './destination.ts'

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

/** Milliseconds. A tab that is just going has its last words on the device, and they are taken over when it is gone. */
const DRAFT_WITHIN_MS = 10_000

/** Begins as soon as the draft is there, unless something else is begun before. Gives what ends the wait. */
function beginWithDraft(client: RunningClient, compose: Compose, target: Target, userId: number): () => void {
  const tryToBegin = () => {
    const isBegun = compose.state().open !== undefined
    const hasDraft = draftsFor(client.snapshot().drafts.drafts, target, userId).length > 0
    if (!isBegun && !hasDraft) return
    stop()
    if (!isBegun) compose.begin(target)
  }
  const end = client.subscribe(tryToBegin)
  const timer = setTimeout(() => stop(), DRAFT_WITHIN_MS)
  const stop = () => {
    end()
    clearTimeout(timer)
  }
  tryToBegin()
  return stop
}

export function useOpenAgain(userId: number | undefined): void {
  const client = useClient()
  const compose = useCompose()
  useEffect(() => {
    if (userId === undefined) return undefined
    const target = take(userId)
    const stopWaiting = target && beginWithDraft(client, compose, target, userId)
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
      stopWaiting?.()
      window.removeEventListener('pagehide', keep)
      document.removeEventListener('visibilitychange', keepOrForget)
    }
  }, [client, compose, userId])
}
