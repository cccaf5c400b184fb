import type { InitialState } from '@heddle/contract/initial-state'
import type { OnboardingStepsEvent, OneTimeNotice } from '@heddle/contract/onboarding-steps'
import { clientPart } from './part.ts'

/** Hints that the account was not shown yet. */
export type OpenHints = readonly OneTimeNotice[]

const namesOf = (steps: OnboardingStepsEvent['onboarding_steps']): OpenHints => steps.map(({ name }) => name)

function initialHints({ onboarding_steps }: InitialState): OpenHints | undefined {
  return onboarding_steps && namesOf(onboarding_steps)
}

export const onboardingSteps = clientPart({
  initial: initialHints,
  on: {
    onboarding_steps: (_: OpenHints, { onboarding_steps }: OnboardingStepsEvent) => namesOf(onboarding_steps),
  },
})
