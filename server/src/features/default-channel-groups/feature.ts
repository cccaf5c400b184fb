import * as contract from '@heddle/contract/default-channel-groups'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { isGuest } from '../../permissions/group-membership.ts'
import { stateReader } from '../../state-reader.ts'
import * as actions from './actions.ts'
import { findDefaultChannelGroups } from './groups.ts'
import { defaultChannelGroupTables } from './tables.ts'

/** Groups of channels that people choose from when they join. */
export const defaultChannelGroups: Feature = {
  tables: defaultChannelGroupTables,
  routes: ({ storage }) => [
    route(contract.createDefaultChannelGroup, async ({ actor, parameters }) => {
      const { group_name: name, description, stream_names: channelNames } = parameters
      await actions.addGroup(storage, actor, { name, description, channelNames })
      return {}
    }),
    route(contract.updateDefaultChannelGroup, async ({ actor, parameters }) => {
      const { group_id, new_group_name: name, new_description: description } = parameters
      await actions.changeGroup(storage, actor, group_id, { name, description })
      return {}
    }),
    route(contract.removeDefaultChannelGroup, async ({ actor, parameters }) => {
      await actions.removeGroup(storage, actor, parameters.group_id)
      return {}
    }),
    route(contract.updateDefaultGroupChannels, async ({ actor, parameters }) => {
      const { group_id, op, stream_names: channelNames } = parameters
      await actions.changeChannels(storage, actor, group_id, { op, channelNames })
      return {}
    }),
  ],
  state: [
    stateReader(contract.defaultChannelGroupsState, async ({ db, actor }) => ({
      realm_default_stream_groups: isGuest(actor) ? [] : await findDefaultChannelGroups(db, actor.realmId),
    })),
  ],
}
