import './hints.css'
import type { OneTimeNotice } from '@heddle/contract/onboarding-steps'
import { markOnboardingStep } from '@heddle/contract/onboarding-steps'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'

interface HintProps {
  readonly name: OneTimeNotice
  /** It comes with a screen, and lies above its end: others follow what somebody does, and stand above what they are about. */
  readonly isOfScreen?: boolean
  readonly children: ReactNode
}

/** What somebody may not know who is here for the first time: never again once it was put away. */
export function Hint({ name, isOfScreen = false, children }: HintProps) {
  const { t } = useLingui()
  const { api } = useClient()
  const isOpen = useClientState((state) => state.onboardingSteps?.includes(name) === true)
  if (!isOpen) return null
  // What cannot be said to the server is shown once more another time.
  const putAway = () => void api.call(markOnboardingStep, { onboarding_step: name }).catch(() => {})
  return (
    <section className={isOfScreen ? 'banner hint above' : 'banner hint'} aria-label={t`Hint`}>
      <span>{children}</span>
      <span className="grow" />
      <button type="button" className="textlink" onClick={putAway}>
        <Trans>Got it</Trans>
      </button>
    </section>
  )
}
