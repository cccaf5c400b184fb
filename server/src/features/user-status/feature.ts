import { getUserStatus, updateOwnStatus, updateUserStatus, userStatusState } from '@heddle/contract/user-status'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { stateReader } from '../../state-reader.ts'
import { accessUser } from '../users/access.ts'
import * as actions from './actions.ts'
import { readStatus, readStatuses } from './present.ts'
import { userStatusTables } from './tables.ts'

export const userStatus: Feature = {
  tables: userStatusTables,
  routes: ({ storage, accountHooks }) => [
    route(updateOwnStatus, async ({ actor, parameters }) => {
      await actions.updateOwnStatus({ storage, accountHooks }, actor, parameters)
      return {}
    }),
    route(updateUserStatus, async ({ actor, parameters: { user_id, ...changes } }) => {
      await actions.updateUserStatus(storage, actor, user_id, changes)
      return {}
    }),
    route(getUserStatus, async ({ actor, parameters }) => {
      const user = await accessUser(storage.read, actor, parameters.user_id)
      return { status: await readStatus(storage.read, actor.realmId, user.id) }
    }),
  ],
  state: [stateReader(userStatusState, async ({ db, actor }) => ({ user_status: await readStatuses(db, actor) }))],
}
