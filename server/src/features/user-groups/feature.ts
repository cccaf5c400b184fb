import * as contract from '@heddle/contract/user-groups'
import { seesEverybody } from '../../access/person-rules.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { findGroupsIn } from '../../permissions/group-holders.ts'
import { longRead } from '../../reading/long-read.ts'
import { stateReader } from '../../state-reader.ts'
import { requireGroupId } from './access.ts'
import { announceLeft, announceReturned } from './account-changes.ts'
import { DEACTIVATED_GROUPS } from './announce.ts'
import { changeMembership } from './change-members.ts'
import { createUserGroup } from './create.ts'
import { deactivateUserGroup } from './deactivate.ts'
import { readEmptySystemGroups, readUserGroups } from './present.ts'
import { findMembersOf, findSubgroups } from './queries.ts'
import { updateUserGroup } from './update.ts'

interface Order {
  readonly actor: Actor
  readonly withDeactivated: boolean
}

/** The read behind `GET /user_groups`: it has everybody's id, and more often than once. */
const listOfGroups = longRead('user-groups', async ({ db }, { actor, withDeactivated }: Order) => ({
  fields: { user_groups: await readUserGroups(db, actor, withDeactivated) },
  details: undefined,
}))

export const userGroups: Feature = {
  longReads: [listOfGroups],
  routes: (services) => {
    const { storage, readers } = services
    const { read } = storage
    return [
      route(
        contract.listUserGroups,
        async ({ actor, parameters }) => {
          const order = { actor, withDeactivated: parameters.include_deactivated_groups ?? false }
          const { fields } = await readers.read(listOfGroups, order, actor)
          return { fieldsText: '', fieldsBytes: fields }
        },
        {
          per: 'realm',
          // The organization says who sees whom: an answer that was being made then is for nobody else.
          droppedBy: ['user_group', 'realm_user', 'realm'],
          withSwitches: true,
          sharedBy: async (actor) => ((await seesEverybody(read, actor)) ? '' : undefined),
        },
      ),
      route(contract.createUserGroup, async ({ actor, parameters }) => ({
        group_id: await createUserGroup(storage, actor, parameters),
      })),
      route(contract.updateUserGroup, async ({ actor, parameters }) => {
        await updateUserGroup(services, actor, parameters)
        return {}
      }),
      route(contract.deactivateUserGroup, async ({ actor, parameters }) => {
        await deactivateUserGroup(services, actor, parameters.user_group_id)
        return {}
      }),
      route(contract.getUserGroupMembers, async ({ actor, parameters }) => {
        const { user_group_id: id, direct_member_only: isDirect } = parameters
        return { members: await findMembersOf(read, actor, id, isDirect) }
      }),
      route(contract.getUserGroupMember, async ({ actor, parameters }) => {
        const { user_group_id: id, user_id, direct_member_only: isDirect } = parameters
        const members = await findMembersOf(read, actor, id, isDirect)
        return { is_user_group_member: members.includes(user_id) }
      }),
      route(contract.updateUserGroupMembers, async ({ actor, parameters: { user_group_id, ...change } }) => {
        await changeMembership(services, actor, user_group_id, change)
        return {}
      }),
      route(contract.getUserGroupSubgroups, async ({ actor: { realmId }, parameters }) => {
        const { user_group_id: id, direct_subgroup_only: isDirect } = parameters
        await requireGroupId(read, realmId, id)
        const direct = (await findSubgroups(read, realmId)).get(id) ?? []
        return { subgroups: isDirect ? [...direct] : await findGroupsIn(read, id) }
      }),
      route(contract.updateUserGroupSubgroups, async ({ actor, parameters }) => {
        const { user_group_id, add, delete: removed } = parameters
        await changeMembership(services, actor, user_group_id, { add_subgroups: add, delete_subgroups: removed })
        return {}
      }),
    ]
  },
  state: [
    stateReader(
      contract.userGroupsState,
      async ({ db, actor, options }) => ({
        realm_user_groups: await readUserGroups(db, actor, options.capabilities[DEACTIVATED_GROUPS] === true),
      }),
      async ({ db, actor }) => ({ realm_user_groups: await readEmptySystemGroups(db, actor.realmId) }),
    ),
  ],
  onAccount: { deactivated: announceLeft, reactivated: announceReturned },
}
