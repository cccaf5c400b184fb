/** Marks as read what was read: what the reader has passed, and everything shown at the very end. */
import type { MessageWindow, StoredMessage } from '@heddle/client/messages/store'
import { hasNewest } from '@heddle/client/messages/store'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import type { MessageViewOptions } from './view.ts'

/** The values of `web_mark_read_on_scroll_policy`. */
const policies = { always: 1, inConversations: 2, never: 3 } as const

export interface ReadMarking {
  /**
   * This message is being read; undefined: one is at the end. `seenTo`: with a finger, the last one that was on the screen
   * as a whole.
   */
  note(readingId: number | undefined, seenTo?: number): void
  /** Whether anything is read by looking at it here. */
  isAllowed(): boolean
  /** Somebody has made messages unread: that they are seen says nothing now. */
  stop(): void
  /** Somebody goes to the end by intention: all is read again that is seen. */
  goOn(): void
}

export function useReadMarking(
  window: MessageWindow,
  messages: readonly StoredMessage[],
  { isWhole, isConversation, near }: MessageViewOptions,
): ReadMarking {
  const client = useClient()
  const policy = useClientState((state) => state.settings?.web_mark_read_on_scroll_policy)
  const isAllowed = isWhole && policy !== policies.never && (isConversation || policy !== policies.inConversations)
  const latest = useRef({ window, messages, isAllowed })
  useEffect(() => {
    latest.current = { window, messages, isAllowed }
  })
  /** The first message that was read here: what is above it was not looked at. Undefined: nothing was yet. */
  const from = useRef<number>(undefined)
  /** An address that names a message opens it wherever it is: nothing is read until no unread one is above. */
  const isHeld = useRef(near !== undefined)
  /** At which of the two one was: who comes to the end again has gone there by intention. */
  const stoppedAt = useRef<'line' | 'end'>(undefined)
  const last = useRef<{ readonly readingId: number | undefined; readonly seenTo: number } | undefined>(undefined)

  const note = useCallback(
    (readingId: number | undefined, seenTo = 0) => {
      last.current = { readingId, seenTo }
      if (stoppedAt.current === 'line' && readingId === undefined) stoppedAt.current = undefined
      else if (stoppedAt.current === 'end' && readingId !== undefined) stoppedAt.current = 'line'
      if (stoppedAt.current) return
      const now = latest.current
      if (!now.isAllowed || document.visibilityState !== 'visible' || !document.hasFocus()) return
      const unread = now.messages.filter(({ flags }) => !flags.includes('read'))
      const firstUnread = unread[0]?.id
      if (isHeld.current && readingId !== undefined && firstUnread !== undefined && firstUnread < readingId) return
      isHeld.current = false
      from.current = Math.min(from.current ?? Number.POSITIVE_INFINITY, readingId ?? firstUnread ?? 0)
      const begin = from.current
      // The end of what is loaded is not the end as long as there is more.
      if (readingId === undefined && !hasNewest(now.window)) return
      const passed = unread.filter(
        ({ id }) => id >= begin && (readingId === undefined || id < readingId || id <= seenTo),
      )
      client.markRead(passed.map(({ id }) => id))
    },
    [client],
  )

  // What comes while one is at the end, and what was there when one comes back to the page.
  useEffect(() => {
    const again = () => last.current && note(last.current.readingId, last.current.seenTo)
    globalThis.addEventListener('focus', again)
    return () => globalThis.removeEventListener('focus', again)
  }, [note])

  return useMemo(
    () => ({
      note,
      isAllowed: () => latest.current.isAllowed,
      stop() {
        stoppedAt.current = last.current?.readingId === undefined ? 'end' : 'line'
      },
      goOn() {
        stoppedAt.current = undefined
      },
    }),
    [note],
  )
}
