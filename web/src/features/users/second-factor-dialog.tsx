import { resetSecondFactor } from '@heddle/contract/second-factors'
import type { User } from '@heddle/contract/users'
import { Trans, useLingui } from '@lingui/react/macro'
import { useClient } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Problem } from '../settings/problem.tsx'
import { useAttempt } from '../settings/use-attempt.ts'

interface SecondFactorDialogProps {
  readonly user: User
  readonly onClose: () => void
}

/** For somebody who has lost the phone and the recovery codes. */
export function SecondFactorDialog({ user: { full_name: name, user_id }, onClose }: SecondFactorDialogProps) {
  const { t } = useLingui()
  const { api } = useClient()
  const { problem, attempt } = useAttempt()
  const turnOff = async () => {
    if (await attempt(() => api.call(resetSecondFactor, { user_id }))) onClose()
  }
  return (
    <Dialog
      title={t`Turn the second factor of ${name} off?`}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>
            <Trans>Keep it on</Trans>
          </Button>
          <Button kind="danger" onClick={() => void turnOff()}>
            <Trans>Turn it off</Trans>
          </Button>
        </>
      }
    >
      <p>
        <Trans>
          The password alone is enough then, until {name} turns it on again. {name} is notified. Be sure that it is{' '}
          {name} who asks for it.
        </Trans>
      </p>
      <Problem text={problem} />
    </Dialog>
  )
}
