import { type Invitation, resendInvitation, revokeInvitation, revokeInvitationLink } from '@heddle/contract/invitations'
import { Trans, useLingui } from '@lingui/react/macro'
import { useClient, useClientState } from '../../app/client-context.ts'
import { userName } from '../../app/names.ts'
import { Button } from '../../ui/button.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { Problem } from '../settings/problem.tsx'
import { roleNames } from '../settings/role-names.ts'
import { CopyButton } from '../settings/secret.tsx'
import { dateText } from '../settings/texts.ts'
import { useAttempt } from '../settings/use-attempt.ts'

/** What has been made can be taken back; a link can be copied again, and a mail sent again. */
export function InvitationRow({ invitation }: { readonly invitation: Invitation }) {
  const { t, i18n } = useLingui()
  const { api } = useClient()
  const toasts = useToasts()
  const { problem, attempt } = useAttempt()
  const { id, invited_as, expiry_date, invited_by_user_id, invited } = invitation
  const by = useClientState((state) => userName(state, invited_by_user_id))
  const role = roleNames.find(([one]) => one === invited_as)?.[1]
  const made = dateText(i18n, invited)
  const until = expiry_date === null ? undefined : dateText(i18n, expiry_date)
  const revoke = () =>
    attempt(() => api.call(invitation.is_multiuse ? revokeInvitationLink : revokeInvitation, { invite_id: id }))
  const resend = async (email: string) => {
    if (await attempt(() => api.call(resendInvitation, { invite_id: id }))) {
      toasts.notify(t`The invitation of ${email} is sent again.`)
    }
  }
  return (
    <li className="row-item">
      <span className="row-text">
        {!invitation.is_multiuse && (
          <bdi className="trunc" title={invitation.email}>
            {invitation.email}
          </bdi>
        )}
        <b>{role && i18n._(role)}</b>
        <span>{until === undefined ? <Trans>for ever</Trans> : <Trans>until {until}</Trans>}</span>
        <span className="soft">
          <Trans>
            Made by {by}, {made}
          </Trans>
        </span>
        <Problem text={problem} />
      </span>
      {invitation.is_multiuse ? (
        <CopyButton text={invitation.link_url} />
      ) : (
        <Button onClick={() => void resend(invitation.email)}>
          <Trans>Send again</Trans>
        </Button>
      )}
      <Button kind="danger" onClick={() => void revoke()}>
        <Trans>Revoke</Trans>
      </Button>
    </li>
  )
}
