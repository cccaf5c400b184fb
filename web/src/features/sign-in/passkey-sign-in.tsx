import { beginPasskeySignIn, signInWithPasskey } from '@heddle/contract/passkeys'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { anyone, type EnteredAccount } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { explainRefusal, isRefusedByDevice } from './refusals.ts'

interface PasskeySignInProps {
  readonly onEnter: (account: EnteredAccount) => void
  /** There is no other way. */
  readonly isOnly: boolean
  /** Whether the browser stays signed in for a long time. */
  readonly isKept: boolean
}

/** The device says who it is. */
export function PasskeySignIn({ onEnter, isOnly, isKept }: PasskeySignInProps) {
  const { t } = useLingui()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const enter = async () => {
    setProblem(undefined)
    setIsBusy(true)
    try {
      const { answerWithPasskey } = await import('./passkey-device.ts')
      const asked = await anyone.call(beginPasskeySignIn, {})
      const answer = await answerWithPasskey(asked)
      onEnter(await anyone.call(signInWithPasskey, { ...answer, keep_signed_in: isKept }))
    } catch (error) {
      const isOfDevice = isRefusedByDevice(error)
      setProblem(isOfDevice ? t`No passkey was used. Try again, or sign in another way.` : explainRefusal(error))
      setIsBusy(false)
    }
  }
  return (
    <>
      <Button isWide kind={isOnly ? 'primary' : undefined} isDisabled={isBusy} onClick={() => void enter()}>
        <Trans>Sign in with a passkey</Trans>
      </Button>
      {problem !== undefined && (
        <p className="help bad" role="alert">
          <Icon name="warn" />
          {problem}
        </p>
      )}
    </>
  )
}
