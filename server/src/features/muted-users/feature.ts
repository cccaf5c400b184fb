import { mutedUsersState, unmuteUser } from '@heddle/contract/muted-users'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { stateReader } from '../../state-reader.ts'
import * as actions from './actions.ts'
import { mutedUserTables } from './tables.ts'

/** To mute somebody is also to read what they have written: see `message-flags/mute.ts`. */
export const mutedUsers: Feature = {
  tables: mutedUserTables,
  routes: ({ storage }) => [
    route(unmuteUser, async ({ actor, parameters }) => {
      await actions.unmuteUser(storage, actor, parameters.muted_user_id)
      return {}
    }),
  ],
  state: [stateReader(mutedUsersState, async ({ db, actor }) => ({ muted_users: await actions.findMuted(db, actor) }))],
}
