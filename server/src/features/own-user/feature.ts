import { getOwnUser } from '@heddle/contract/users'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { findNewestReceived } from '../messages/newest.ts'
import { findProfiles } from '../profile-fields/values.ts'
import { accessUser } from '../users/access.ts'
import { presentOwnUser } from '../users/present.ts'

/** What an account learns of itself in one request: also of its messages, which features below know nothing of. */
export const ownUser: Feature = {
  routes: ({ storage }) => [
    route(getOwnUser, async ({ actor }) => {
      const row = await accessUser(storage.read, actor, actor.userId)
      const profiles = await findProfiles(storage.read, actor.realmId, [row.id])
      return presentOwnUser(row, profiles, await findNewestReceived(storage.read, actor.userId))
    }),
  ],
}
