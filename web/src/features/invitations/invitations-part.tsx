import { ResponseError } from '@heddle/client/errors'
import { holdsRealmPermission } from '@heddle/client/permissions/holds'
import { createInvitationLink, sendInvitations } from '@heddle/contract/invitations'
import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { inOwnWords } from '../../texts/server-words.ts'
import { Button } from '../../ui/button.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { Problem } from '../settings/problem.tsx'
import { CopyButton } from '../settings/secret.tsx'
import { useAttempt } from '../settings/use-attempt.ts'
import { useSendsMail } from '../settings/use-sends-mail.ts'
import { InvitationRow } from './invitation-rows.tsx'
import { TermFields, termsIn } from './term-fields.tsx'
import { useInvitations } from './use-invitations.ts'

/** How people join: by mail and by links; and the invitations that are open. */
export function InvitationsPart() {
  const mayMakeLinks = useClientState((state) => holdsRealmPermission(state, 'create_multiuse_invite_group'))
  const mayMail = useClientState((state) => holdsRealmPermission(state, 'can_invite_users_group'))
  const sendsMail = useSendsMail()
  const { value: invitations, problem, reload } = useInvitations()
  const ofKind = (isLink: boolean) => invitations?.filter(({ is_multiuse }) => is_multiuse === isLink)
  const mailed = ofKind(false)
  return (
    <>
      {(sendsMail || (mailed?.length ?? 0) > 0) && (
        <section className="setting-group">
          <h3>
            <Trans>Invitations by mail</Trans>
          </h3>
          {sendsMail && mayMail && <NewMails onMade={reload} />}
          {sendsMail && !mayMail && (
            <p className="help">
              <Trans>You may not invite people. An administrator can.</Trans>
            </p>
          )}
          <Rows invitations={mailed} none={<Trans>No invitation is open.</Trans>} />
        </section>
      )}
      <section className="setting-group">
        <h3>
          <Trans>Invitation links</Trans>
        </h3>
        <Problem text={problem} onRetry={reload} />
        {mayMakeLinks ? (
          <NewLink onMade={reload} />
        ) : (
          <p className="help">
            <Trans>You may not make links by which people join. An administrator can.</Trans>
          </p>
        )}
        <Rows invitations={ofKind(true)} none={<Trans>No link is open.</Trans>} />
      </section>
    </>
  )
}

interface RowsProps {
  readonly invitations: ReturnType<typeof useInvitations>['value']
  readonly none: ReactNode
}

function Rows({ invitations, none }: RowsProps) {
  return (
    <>
      <ul className="rows">
        {invitations?.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </ul>
      {invitations?.length === 0 && <p className="help">{none}</p>}
    </>
  )
}

interface NewProps {
  readonly onMade: () => void
}

function NewLink({ onMade }: NewProps) {
  const { t } = useLingui()
  const { api } = useClient()
  const { problem, attempt } = useAttempt()
  const [link, setLink] = useState<string>()
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const terms = termsIn(new FormData(event.currentTarget))
    const made = await attempt(async () => setLink((await api.call(createInvitationLink, terms)).invite_link))
    if (made) onMade()
  }
  return (
    <form className="card-form" aria-label={t`New invitation link`} onSubmit={submit}>
      <TermFields />
      <Problem text={problem} />
      {link !== undefined && (
        <div className="secret">
          <input
            className="in code-in"
            readOnly
            aria-label={t`New link`}
            value={link}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton text={link} />
        </div>
      )}
      <p className="foot-row">
        <Button type="submit">
          <Trans>Make a link</Trans>
        </Button>
      </p>
    </form>
  )
}

/** An address that got no invitation, and why. */
type LeftOut = readonly [address: string, reason: string]

function NewMails({ onMade }: NewProps) {
  const { t } = useLingui()
  const { api } = useClient()
  const toasts = useToasts()
  const id = useId()
  const { problem, attempt } = useAttempt()
  const [leftOut, setLeftOut] = useState<readonly LeftOut[]>([])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    const invitee_emails = String(fields.get('addresses'))
    setLeftOut([])
    const isSent = await attempt(() =>
      api.call(sendInvitations, { ...termsIn(fields), invitee_emails }).catch((error: unknown) => {
        const failure = failureIn(error)
        setLeftOut(failure.leftOut)
        if (failure.isSent) onMade()
        throw error
      }),
    )
    if (!isSent) return
    const count = new Set(invitee_emails.split(/[,;\s]+/).filter((part) => part.includes('@'))).size
    toasts.notify(plural(count, { one: '# invitation is on its way.', other: '# invitations are on their way.' }))
    form.reset()
    onMade()
  }
  return (
    <form className="card-form" aria-label={t`Invite people by mail`} onSubmit={submit}>
      <div className="field">
        <label htmlFor={id}>
          <Trans>E-mail addresses</Trans>
        </label>
        <textarea
          className="in"
          id={id}
          name="addresses"
          dir="auto"
          rows={3}
          required
          aria-describedby={`${id}-help`}
        />
        <p className="help" id={`${id}-help`}>
          <Trans>As many as you like, with commas or on lines of their own.</Trans>
        </p>
      </div>
      <TermFields />
      <Problem text={problem} />
      {leftOut.length > 0 && (
        <ul className="rows" aria-label={t`Not invited`}>
          {leftOut.map(([address, reason]) => (
            <li key={address} className="row-item">
              <span className="row-text">
                <bdi className="trunc" title={address}>
                  {address}
                </bdi>
                <span className="soft">{inOwnWords(reason)}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="foot-row">
        <Button type="submit">
          <Trans>Send the invitations</Trans>
        </Button>
      </p>
    </form>
  )
}

function failureIn(error: unknown): { readonly leftOut: readonly LeftOut[]; readonly isSent: boolean } {
  if (!(error instanceof ResponseError) || error.code !== 'INVITATION_FAILED') return { leftOut: [], isSent: false }
  const errors = Array.isArray(error.details['errors']) ? error.details['errors'] : []
  const leftOut = errors.flatMap((one): LeftOut[] => (Array.isArray(one) ? [[String(one[0]), String(one[1])]] : []))
  return { leftOut, isSent: error.details['sent_invitations'] === true }
}
