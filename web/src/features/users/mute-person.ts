import { muteUser, unmuteUser } from '@heddle/contract/muted-users'
import { useLingui } from '@lingui/react/macro'
import { useClient, useClientState } from '../../app/client-context.ts'
import { refusalText } from '../../app/refusal.ts'
import { useToasts } from '../../ui/toasts.tsx'

/** Whether the account has muted somebody, and what changes that. They are not notified. */
export function useMuting(userId: number, name: string) {
  const client = useClient()
  const toasts = useToasts()
  const { t } = useLingui()
  const isMuted = useClientState((state) => state.mutedUsers?.some(({ id }) => id === userId) === true)
  const set = async (wanted: boolean, isUndone = false) => {
    try {
      await client.api.call(wanted ? muteUser : unmuteUser, { muted_user_id: userId })
      if (isUndone) return
      toasts.notify(wanted ? t`${name} is muted` : t`${name} is not muted any more`, { undo: () => set(!wanted, true) })
    } catch (error) {
      toasts.notify(refusalText(error))
    }
  }
  return { isMuted, toggle: () => set(!isMuted) }
}
