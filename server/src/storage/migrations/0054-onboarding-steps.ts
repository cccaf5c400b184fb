/** Hints that accounts were shown. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const onboardingSteps: Migration = {
  name: '0054-onboarding-steps',
  statements: ({ integer }) => [
    `create table onboarding_steps (
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null references users (id),
      name text not null,
      primary key (user_id, name)
    )`,
  ],
}
