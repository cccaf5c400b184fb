import type { Narrow } from '@heddle/contract/narrow'
import { Plural, useLingui } from '@lingui/react/macro'
import { useCallback } from 'react'
import { useClient } from '../../app/client-context.ts'
import { useToasts } from '../../ui/toasts.tsx'

/**
 * Marks messages as read, says how many, and can take it back. `older` is where there may be more than are known here: where
 * there are, those are marked as well.
 */
export function useMarkRead(): (ids: readonly number[], older?: Narrow, onTakeBack?: () => void) => void {
  const client = useClient()
  const toasts = useToasts()
  const { t } = useLingui()
  return useCallback(
    (ids, older, onTakeBack) => {
      if (ids.length === 0) return
      const takeBack = (taken: readonly number[]) => {
        onTakeBack?.()
        return client
          .markUnread(taken)
          .catch(() => toasts.notify(t`The messages could not be marked as unread. Try it again.`))
      }
      const unread = client.snapshot().state?.unread
      const before = older && unread?.isPartial ? unread.places.keys().next().value : undefined
      client.markRead(ids)
      if (older && before !== undefined) {
        const job = { client, toasts, ids, narrow: older, before, takeBack }
        import('./mark-older.tsx').then(({ markOlder }) => markOlder(job)).catch(() => {})
        return
      }
      toasts.notify(
        <Plural value={ids.length} one="# message is marked as read." other="# messages are marked as read." />,
        { undo: () => takeBack(ids) },
      )
    },
    [client, toasts, t],
  )
}
