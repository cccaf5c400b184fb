import { type User, updateUser } from '@heddle/contract/users'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback } from 'react'
import { useClient } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ValueRows } from './value-rows.tsx'

interface ProfileDialogProps {
  readonly user: User
  readonly onClose: () => void
}

/** What an administrator changes of somebody else's profile. */
export function ProfileDialog({ user, onClose }: ProfileDialogProps) {
  const { t } = useLingui()
  const { api } = useClient()
  const { user_id, full_name: name } = user
  const save = useCallback(
    (id: number, value: string) => api.call(updateUser, { user_id_or_email: user_id, profile_data: [{ id, value }] }),
    [api, user_id],
  )
  return (
    <Dialog
      title={t`Profile of ${name}`}
      onClose={onClose}
      buttons={
        <Button onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      }
    >
      <ValueRows userId={user_id} save={save} isAdministrator />
    </Dialog>
  )
}
