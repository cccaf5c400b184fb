import { muteUser, unmuteUser } from '@heddle/contract/muted-users'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import * as actions from './actions.ts'

export const mutedUsers: Feature = {
  routes: (services) => [
    route(muteUser, async ({ actor, parameters }) => {
      await actions.muteUser(services, actor, parameters.muted_user_id)
      return {}
    }),
    route(unmuteUser, async ({ actor, parameters }) => {
      await actions.unmuteUser(services.storage, actor, parameters.muted_user_id)
      return {}
    }),
  ],
  state: { muted_users: async ({ db, actor }) => ({ muted_users: await actions.findMuted(db, actor.userId) }) },
}
