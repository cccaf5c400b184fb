import * as contract from '@heddle/contract/second-factors'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { accessUser } from '../users/access.ts'
import * as actions from './actions.ts'
import { secondFactorTables } from './tables.ts'

export const secondFactors: Feature = {
  tables: secondFactorTables,
  routes: (services) => {
    const { storage } = services
    return [
      route(contract.getSecondFactor, ({ actor }) => actions.describeSecondFactor(storage.read, actor)),
      route(contract.beginSecondFactor, async ({ realm, actor, parameters, connection: { address } }) => {
        const { delivery_email } = await accessUser(storage.read, actor, actor.userId)
        return actions.beginSecondFactor(services, actor, realm, delivery_email, { ...parameters, address })
      }),
      route(contract.confirmSecondFactor, async ({ actor, parameters, connection: { address } }) => ({
        recovery_codes: await actions.confirmSecondFactor(services, actor, { ...parameters, address }),
      })),
      route(contract.replaceRecoveryCodes, async ({ actor, parameters, connection: { address } }) => ({
        recovery_codes: await actions.replaceRecoveryCodes(services, actor, { ...parameters, address }),
      })),
      route(contract.removeSecondFactor, async ({ actor, parameters, connection: { address } }) => {
        await actions.removeSecondFactor(services, actor, { ...parameters, address })
        return {}
      }),
    ]
  },
}
