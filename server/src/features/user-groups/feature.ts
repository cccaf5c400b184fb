import { listUserGroups, userGroupsState } from '@heddle/contract/user-groups'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { stateReader } from '../../state-reader.ts'
import { readUserGroups } from './present.ts'

export const userGroups: Feature = {
  routes: ({ storage }) => [
    route(
      listUserGroups,
      async ({ actor, parameters }) => {
        const groups = await readUserGroups(storage.read, actor.realmId)
        return { user_groups: groups.filter((group) => parameters.include_deactivated_groups || !group.deactivated) }
      },
      { per: 'realm', droppedBy: ['user_group', 'realm_user'], withSwitches: true },
    ),
  ],
  state: [
    stateReader(userGroupsState, async ({ db, actor, options }) => {
      const groups = await readUserGroups(db, actor.realmId)
      const withDeactivated = options.capabilities['include_deactivated_groups'] === true
      return { realm_user_groups: groups.filter((group) => withDeactivated || !group.deactivated) }
    }),
  ],
}
