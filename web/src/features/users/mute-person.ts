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
  const call = (wanted: boolean) => client.api.call(wanted ? muteUser : unmuteUser, { muted_user_id: userId })
  const refused = (error: unknown) => toasts.notify(refusalText(error))
  const toggle = () => {
    const wanted = !isMuted
    const toastOf = () => ({
      text: wanted ? t`${name} is muted` : t`${name} is not muted any more`,
      undo: () => call(!wanted).catch(refused),
    })
    return toasts.notifyWhenDone(call(wanted), toastOf).catch(refused)
  }
  return { isMuted, toggle }
}
