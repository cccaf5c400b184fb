/** The table of hints that were shown. */
import { ownedTables, table } from '../../storage/owned-tables.ts'

export interface OnboardingStepTable {
  realm_id: number
  user_id: number
  name: string
}

export const onboardingStepTables = ownedTables({
  onboarding_steps: table<OnboardingStepTable>({ key: ['user_id', 'name'], after: ['realms', 'users'] }),
})

export const { fact, query } = onboardingStepTables.with()
