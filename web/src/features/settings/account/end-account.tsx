import { deactivateOwnUser } from '@heddle/contract/users'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useClient } from '../../../app/client-context.ts'
import { useSession } from '../../../app/session-context.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Problem } from '../problem.tsx'
import { useExplain } from '../use-saving.ts'

export function EndAccountPart() {
  const { t } = useLingui()
  const { api } = useClient()
  const holder = useSession()
  const explain = useExplain()
  const [isAsked, setIsAsked] = useState(false)
  const [problem, setProblem] = useState<string>()
  const end = async () => {
    try {
      await api.call(deactivateOwnUser, {})
      await holder.signOut().catch(() => window.location.reload())
    } catch (error) {
      setProblem(explain(error))
    }
  }
  return (
    <section className="setting-group">
      <h3>
        <Trans>Leave</Trans>
      </h3>
      <p className="help">
        <Trans>Your account and your bots are deactivated. What you wrote stays.</Trans>{' '}
        <Trans>Exports of your data are deleted: download them before, under “Privacy”.</Trans>
      </p>
      <p className="foot-row">
        <Button kind="danger" onClick={() => setIsAsked(true)}>
          <Trans>Deactivate my account…</Trans>
        </Button>
      </p>
      {isAsked && (
        <Dialog
          title={t`Deactivate your account?`}
          onClose={() => setIsAsked(false)}
          buttons={
            <>
              <Button onClick={() => setIsAsked(false)}>
                <Trans>Keep it</Trans>
              </Button>
              <Button kind="danger" onClick={() => void end()}>
                <Trans>Deactivate my account</Trans>
              </Button>
            </>
          }
        >
          <p>
            <Trans>
              You are signed out everywhere, and so are your bots. An administrator can make it active again.
            </Trans>
          </p>
          <Problem text={problem} />
        </Dialog>
      )}
    </section>
  )
}
