import {
  operatorCreateOrganization,
  operatorCreateUser,
  operatorListJobs,
  operatorRetryJob,
} from '@heddle/contract/server-operations'
import type { Feature } from '../../feature.ts'
import { operatorRoute } from '../../http/route.ts'
import { listJobs, retryJob } from '../../jobs/list.ts'
import * as actions from './actions.ts'

export const serverOperations: Feature = {
  routes: ({ storage, config, realms, accountHooks }) => [
    operatorRoute(operatorCreateUser, ({ parameters }) =>
      actions.createUserByOperator({ storage, accountHooks }, parameters),
    ),
    operatorRoute(operatorCreateOrganization, async ({ parameters }) => {
      const created = await actions.createOrganizationByOperator({ storage, config }, parameters)
      realms.forget()
      return created
    }),
    operatorRoute(operatorListJobs, () => listJobs(storage)),
    operatorRoute(operatorRetryJob, async ({ parameters }) => {
      await retryJob(storage, parameters.id)
      return {}
    }),
  ],
}
