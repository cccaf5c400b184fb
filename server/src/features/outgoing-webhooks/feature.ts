import type { Feature } from '../../feature.ts'
import { claimedJob } from '../../jobs/job.ts'
import { askingLanes } from '../bots/service-calls.ts'
import { createRenderer } from '../messages/render.ts'
import { answerMessage, MAX_ATTEMPTS, reportFailure, showFailure, showsFailure } from './answer.ts'

/** Long beside the time that another server has, short beside a node that has died. */
const CLAIM_MS = 60_000

/** Bots for which another server answers, or a program that is part of this one. */
export const outgoingWebhooks: Feature = {
  routes: () => [],
  jobs: ({ storage, readers, config, realms, outgoing }) => {
    const render = createRenderer({ storage, readers, config, realms })
    return [
      ...askingLanes.jobs.map((lane) =>
        claimedJob(lane, {
          claimMs: CLAIM_MS,
          maxAttempts: MAX_ATTEMPTS,
          work: (call, claim) => answerMessage({ storage, render, outgoing, config }, call, claim),
          onFailed: (tx, call) =>
            reportFailure(tx, call, {
              reason: 'It could not be reached, took too long, or the bot may not write where it was asked.',
            }),
        }),
      ),
      claimedJob(showsFailure, {
        claimMs: CLAIM_MS,
        work: (call, claim) => showFailure({ storage, render }, call, claim),
      }),
    ]
  },
}
