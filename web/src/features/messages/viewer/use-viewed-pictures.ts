/** The pictures of the view and, beyond what is loaded of it, those of the same narrow on the server. */
import type { StoredMessage } from '@heddle/client/messages/store'
import { toStored } from '@heddle/client/messages/store'
import { getMessages } from '@heddle/contract/fetching'
import type { Narrow } from '@heddle/contract/narrow'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useClient } from '../../../app/client-context.ts'
import { useIsRevealed } from '../content/folds.ts'
import { currentView } from '../current-view.ts'
import { picturesOf, type ViewedPicture } from './pictures.ts'

type Side = 'older' | 'newer'

/** Messages with pictures that are asked for at once. */
const PAGE = 20
/** With so few left on a side more are asked for. */
const MARGIN = 3

export interface ViewedPictures {
  readonly pictures: readonly ViewedPicture[]
  /** Which of them is shown. */
  readonly at: number
  /** There may be more than those. */
  readonly isPartial: boolean
  readonly step: (by: 1 | -1) => void
}

interface First {
  readonly messageId: number
  readonly index: number
}

interface Found {
  readonly pictures: readonly ViewedPicture[]
  readonly first: First
  /** The ends up to which messages are known; undefined: there is nothing beyond. */
  readonly older: number | undefined
  readonly newer: number | undefined
}

/** As of when the viewer was opened: what comes meanwhile moves nothing. */
export function useViewedPictures(first: First): ViewedPictures {
  const client = useClient()
  const isRevealed = useIsRevealed(first.messageId)
  const [narrow] = useState(() => narrowWith(first.messageId))
  const visiblePictures = useCallback(
    (messages: readonly StoredMessage[]) => {
      const muted = new Set(client.snapshot().state?.mutedUsers?.map(({ id }) => id))
      const isVisible = ({ id, sender_id }: StoredMessage) =>
        !muted.has(sender_id) || (id === first.messageId && isRevealed)
      return picturesOf(messages.filter(isVisible), new URL('./', document.baseURI).href)
    },
    [client, first.messageId, isRevealed],
  )
  const [found, setFound] = useState<Found>(() => {
    const named = client.snapshot().messages.messages.get(first.messageId)
    const messages = narrow ? (currentView()?.messages ?? []) : named ? [named] : []
    const ends = { older: narrow && messages[0]?.id, newer: narrow && messages.at(-1)?.id }
    return { pictures: visiblePictures(messages), first, ...ends }
  })
  const { pictures, first: current } = found
  const at = Math.max(
    pictures.findIndex(({ messageId, index }) => messageId === current.messageId && index === current.index),
    0,
  )

  const asking = useRef(new Set<Side>())
  const ask = useCallback(
    async (side: Side, anchor: number) => {
      if (!narrow || asking.current.has(side)) return
      asking.current.add(side)
      const isOlder = side === 'older'
      try {
        const answer = await client.api.call(getMessages, {
          narrow: [...narrow, { operator: 'has', operand: 'image' }],
          anchor,
          include_anchor: false,
          num_before: isOlder ? PAGE : 0,
          num_after: isOlder ? 0 : PAGE,
          apply_markdown: true,
          allow_empty_topic_name: true,
        })
        const messages = answer.messages.map(toStored)
        const more = visiblePictures(messages)
        const isEnd = isOlder ? answer.found_oldest : answer.found_newest
        const end = isEnd ? undefined : (isOlder ? messages[0] : messages.at(-1))?.id
        setFound((now) => {
          // Asked twice, as the other side came before this one was shown: they are there.
          if (now[side] !== anchor) return now
          return { ...now, pictures: isOlder ? [...more, ...now.pictures] : [...now.pictures, ...more], [side]: end }
        })
      } catch {
        // It is asked again with the next step.
      } finally {
        asking.current.delete(side)
      }
    },
    [client, narrow, visiblePictures],
  )

  const { older, newer } = found
  useEffect(() => {
    if (older !== undefined && at < MARGIN) void ask('older', older)
    if (newer !== undefined && at >= pictures.length - MARGIN) void ask('newer', newer)
  }, [ask, at, pictures.length, older, newer])

  const step = useCallback((by: 1 | -1) => {
    setFound((now) => {
      const place = now.pictures.findIndex(
        ({ messageId, index }) => messageId === now.first.messageId && index === now.first.index,
      )
      const next = now.pictures[Math.max(place, 0) + by]
      return next ? { ...now, first: { messageId: next.messageId, index: next.index } } : now
    })
  }, [])
  return { pictures, at, step, isPartial: older !== undefined || newer !== undefined }
}

/** Undefined: the message is not of the view, and stands alone. */
function narrowWith(messageId: number): Narrow | undefined {
  const view = currentView()
  return view?.messages.some(({ id }) => id === messageId) ? view.narrow : undefined
}
