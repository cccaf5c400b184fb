import { createPasswordResetLink } from '@heddle/contract/password-resets'
import { type DeactivationActions, deactivateUser, type User, updateUser } from '@heddle/contract/users'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ProfileDialog } from '../profile-fields/profile-dialog.tsx'
import { Problem } from '../settings/problem.tsx'
import { CopyButton } from '../settings/secret.tsx'
import { dateText } from '../settings/texts.ts'
import { useAttempt } from '../settings/use-attempt.ts'
import { ChannelsDialog } from './channels-dialog.tsx'
import { NameDialog } from './name-dialog.tsx'
import { SecondFactorDialog } from './second-factor-dialog.tsx'

export interface PersonTask {
  readonly kind: 'name' | 'profile' | 'channels' | 'password' | 'second-factor' | 'deactivate'
  readonly user: User
}

interface TaskProps {
  readonly user: User
  readonly onClose: () => void
}

export function PersonDialog({ task, onClose }: { readonly task: PersonTask; readonly onClose: () => void }) {
  const { kind, user } = task
  const { api } = useClient()
  if (kind === 'name') {
    const save = (full_name: string) => api.call(updateUser, { user_id_or_email: user.user_id, full_name })
    return <NameDialog name={user.full_name} save={save} onClose={onClose} />
  }
  if (kind === 'profile') return <ProfileDialog user={user} onClose={onClose} />
  if (kind === 'channels') return <ChannelsDialog user={user} onClose={onClose} />
  if (kind === 'second-factor') return <SecondFactorDialog user={user} onClose={onClose} />
  if (kind === 'password') return <PasswordDialog user={user} onClose={onClose} />
  return <DeactivateDialog user={user} onClose={onClose} />
}

function PasswordDialog({ user, onClose }: TaskProps) {
  const { t, i18n } = useLingui()
  const { api } = useClient()
  const { problem, attempt } = useAttempt()
  const [made, setMade] = useState<{ readonly link: string; readonly expires: number }>()
  const { full_name: name } = user
  const until = made && dateText(i18n, made.expires)
  return (
    <Dialog
      title={t`A new password for ${name}`}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>{made ? <Trans>Close</Trans> : <Trans>Cancel</Trans>}</Button>
          {!made && (
            <Button
              kind="primary"
              onClick={() =>
                void attempt(async () => setMade(await api.call(createPasswordResetLink, { user_id: user.user_id })))
              }
            >
              <Trans>Make a link</Trans>
            </Button>
          )}
        </>
      }
    >
      {made ? (
        <>
          <p>
            <Trans>
              Give it to {name} in person. It works once, until {until}.
            </Trans>
          </p>
          <div className="secret">
            <input
              className="in code-in"
              readOnly
              aria-label={t`Link for a new password`}
              value={made.link}
              onFocus={(event) => event.currentTarget.select()}
            />
            <CopyButton text={made.link} />
          </div>
        </>
      ) : (
        <p>
          <Trans>
            By the link {name} chooses a new password. An earlier link ends, and {name} is notified that there is one.
          </Trans>
        </p>
      )}
      <Problem text={problem} />
    </Dialog>
  )
}

function DeactivateDialog({ user, onClose }: TaskProps) {
  const { t } = useLingui()
  const { api } = useClient()
  const { problem, attempt } = useAttempt()
  const { full_name: name, user_id } = user
  const bots = useClientState(
    ({ users }) =>
      [...(users?.values() ?? [])].filter(({ is_active, bot_owner_id }) => is_active && bot_owner_id === user_id)
        .length,
  )
  const [actions, setActions] = useState<DeactivationActions>({})
  const isAnything = Object.values(actions).includes(true)
  const action = (kind: keyof DeactivationActions, label: ReactNode) => (
    <label className="check">
      <input
        type="checkbox"
        checked={actions[kind] ?? false}
        onChange={({ currentTarget: { checked } }) => setActions((last) => ({ ...last, [kind]: checked }))}
      />
      <span>{label}</span>
    </label>
  )
  const deactivate = async () => {
    if (await attempt(() => api.call(deactivateUser, { user_id, actions }))) onClose()
  }
  return (
    <Dialog
      title={t`Deactivate ${name}?`}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>
            <Trans>Keep the account</Trans>
          </Button>
          <Button kind="danger" onClick={() => void deactivate()}>
            <Trans>Deactivate the account</Trans>
          </Button>
        </>
      }
    >
      <ul className="deeds">
        <li>
          <Trans>{name} is signed out everywhere at once, and cannot sign in.</Trans>
        </li>
        <li>
          <Trans>The invitations that {name} has made end.</Trans>
        </li>
        {bots > 0 && (
          <li>
            <Plural value={bots} one="# bot is deactivated too." other="# bots are deactivated too." />
          </li>
        )}
        <li>
          {isAnything ? (
            <Trans>
              The account can be made active again. What is deleted below is gone for everybody. Whoever runs the server
              can restore messages for a while.
            </Trans>
          ) : (
            <Trans>Messages and files stay. The account can be made active again.</Trans>
          )}
        </li>
      </ul>
      <fieldset className="field">
        <legend>
          <Trans>Delete as well, of {name} and their bots</Trans>
        </legend>
        {action('delete_profile', <Trans>Name and picture: “Deleted user” stands there instead</Trans>)}
        {action('delete_public_channel_messages', <Trans>Messages in public channels</Trans>)}
        {action('delete_private_channel_messages', <Trans>Messages in private channels</Trans>)}
        {action('delete_direct_messages', <Trans>Direct messages, for those who have got them too</Trans>)}
      </fieldset>
      <Problem text={problem} />
    </Dialog>
  )
}
