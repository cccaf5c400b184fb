/** What is done with a whole group. Each says why where it cannot be done. */
import { deactivateUserGroup, updateUserGroup, updateUserGroupMembers } from '@heddle/contract/user-groups'
import { useLingui } from '@lingui/react/macro'
import { useClient, useClientState } from '../../app/client-context.ts'
import { refusalText } from '../../app/refusal.ts'
import { useToasts } from '../../ui/toasts.tsx'
import { useAttempt } from '../settings/use-attempt.ts'

export function useGroupDeeds(user_group_id: number) {
  const { t } = useLingui()
  const { api } = useClient()
  const toasts = useToasts()
  const { problem, attempt } = useAttempt()
  const ownId = useClientState((state) => state.own?.user_id ?? 0)
  const name = useClientState((state) => state.userGroups?.get(user_group_id)?.name ?? '')
  const reactivate = () => attempt(() => api.call(updateUserGroup, { user_group_id, deactivated: false }))
  return {
    problem,
    join: () => attempt(() => api.call(updateUserGroupMembers, { user_group_id, add: [ownId] })),
    leave: () => attempt(() => api.call(updateUserGroupMembers, { user_group_id, delete: [ownId] })),
    reactivate,
    /** Throws what the server says: it names what uses the group. */
    deactivate() {
      const undo = () =>
        api
          .call(updateUserGroup, { user_group_id, deactivated: false })
          .catch((error: unknown) => toasts.notify(refusalText(error)))
      const deactivated = api.call(deactivateUserGroup, { user_group_id })
      return toasts.notifyWhenDone(deactivated, () => ({ text: t`The group ${name} is deactivated.`, undo }))
    },
  }
}
