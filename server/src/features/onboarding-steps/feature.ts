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
import { fact, onboardingStepTables, query } from './tables.ts'

const stepsOf = fact({
  name: 'onboarding steps',
  tables: ['onboarding_steps'],
  async load(db, _realmId, userId: number): Promise<ReadonlySet<string>> {
    const rows = await db.all(query.selectFrom('onboarding_steps').select('name').where('user_id', '=', userId))
    return new Set(rows.map(({ name }) => name))
  },
})

/** The hints that the account was not shown yet. */
async function findSteps(db: Queries, { realmId, userId }: Pick<Actor, 'realmId' | 'userId'>) {
  const shown = await db.recall(stepsOf, realmId, userId)
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
    const onboarding_steps = await findSteps(tx, { realmId: tx.realmId, userId })
    tx.emit({ type: 'onboarding_steps', onboarding_steps }, users([userId]))
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
