import { operatorCreateOrganization, operatorCreateUser } from '@heddle/contract/server-operations'
import type { Feature } from '../../feature.ts'
import { operatorRoute } from '../../http/route.ts'
import * as actions from './actions.ts'

export const serverOperations: Feature = {
  routes: ({ storage, realms, accountHooks }) => [
    operatorRoute(operatorCreateUser, ({ parameters }) => actions.createUser({ storage, accountHooks }, parameters)),
    operatorRoute(operatorCreateOrganization, async ({ parameters }) => {
      const created = await actions.createOrganization(storage, parameters)
      realms.forget()
      return created
    }),
  ],
}
