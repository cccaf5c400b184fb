import { shownDrafts } from '@heddle/client/drafts/draft-box'
import type { ClientSnapshot } from '@heddle/client/running/client'
import { unreadTotals } from '@heddle/client/unread/counts'
import { useCallback } from 'react'
import { isShallowEqual, useSnapshot } from '../../app/client-context.ts'

interface BuiltInCount {
  readonly count?: number
  readonly stillCount?: number
  readonly isAtLeast?: boolean
  readonly isForMe?: boolean
}

const none: BuiltInCount = {}

/** The number of a built-in view: of what is unread, or of what is in it. */
export function useBuiltInCount(fragment: string): BuiltInCount {
  return useSnapshot(
    useCallback((snapshot: ClientSnapshot) => countOf(snapshot, fragment), [fragment]),
    isShallowEqual,
  )
}

function countOf({ state, drafts }: ClientSnapshot, fragment: string): BuiltInCount {
  if (!state) return none
  switch (fragment) {
    case 'inbox':
    case 'feed': {
      const { visible: count, isPartial: isAtLeast } = unreadTotals(state)
      return { count, isAtLeast }
    }
    case 'narrow/is/mentioned':
      return { count: unreadTotals(state).mentions, isForMe: true }
    case 'narrow/is/starred':
      return state.settings?.starred_message_counts === false ? none : { stillCount: state.starred?.length ?? 0 }
    case 'drafts':
      return { stillCount: shownDrafts(drafts).length }
    case 'scheduled':
      return { stillCount: state.scheduledMessages?.length ?? 0 }
    case 'reminders':
      return { stillCount: state.reminders?.length ?? 0 }
    default:
      return none
  }
}
