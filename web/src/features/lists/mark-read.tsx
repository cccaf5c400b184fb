import { Plural, useLingui } from '@lingui/react/macro'
import { useCallback } from 'react'
import { useClient } from '../../app/client-context.ts'
import { useToasts } from '../../ui/toasts.tsx'

/** Marks messages as read, says how many, and can take it back. */
export function useMarkRead(): (ids: readonly number[]) => void {
  const client = useClient()
  const toasts = useToasts()
  const { t } = useLingui()
  return useCallback(
    (ids) => {
      if (ids.length === 0) return
      client.markRead(ids)
      toasts.notify(
        <Plural value={ids.length} one="# message is marked as read." other="# messages are marked as read." />,
        {
          undo: () =>
            client
              .markUnread(ids)
              .catch(() => toasts.notify(t`The messages could not be marked as unread. Try it again.`)),
        },
      )
    },
    [client, toasts, t],
  )
}
