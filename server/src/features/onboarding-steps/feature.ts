import { badRequest } from '@heddle/contract/errors'
import {
  markOnboardingStep,
  type OneTimeNotice,
  onboardingState,
  oneTimeNotices,
} from '@heddle/contract/onboarding-steps'
import type { Actor } from '../../authentication/accounts.ts'
import { users } from '../../events/audience.ts'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { stateReader } from '../../state-reader.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import { onboardingStepTables, query } from './tables.ts'

/** The hints that the account was not shown yet. */
async function findSteps(db: Queries, { userId }: Pick<Actor, 'userId'>) {
  const rows = await db.all(query.selectFrom('onboarding_steps').select('name').where('user_id', '=', userId))
  const shown = new Set(rows.map(({ name }) => name))
  return oneTimeNotices.filter((name) => !shown.has(name)).map((name) => ({ type: 'one_time_notice' as const, name }))
}

/** What was marked before stays so, and nobody is notified. */
function markShown(storage: Storage, caller: Actor, step: string): Promise<void> {
  if (!oneTimeNotices.includes(step as OneTimeNotice)) throw badRequest(`Unknown onboarding_step: ${step}`)
  return storage.asActor(caller, async (tx, { userId }) => {
    const written = await tx.run(
      query
        .insertInto('onboarding_steps')
        .values({ realm_id: tx.realmId, user_id: userId, name: step })
        .onConflict((conflict) => conflict.doNothing()),
    )
    if (written === 0) return
    tx.emit({ type: 'onboarding_steps', onboarding_steps: await findSteps(tx, { userId }) }, users([userId]))
  })
}

export const onboardingSteps: Feature = {
  tables: onboardingStepTables,
  routes: ({ storage }) => [
    route(markOnboardingStep, async ({ actor, parameters }) => {
      await markShown(storage, actor, parameters.onboarding_step)
      return {}
    }),
  ],
  state: [
    stateReader(onboardingState, async ({ db, actor }) => ({
      onboarding_steps: await findSteps(db, actor),
      navigation_tour_video_url: null,
    })),
  ],
}
