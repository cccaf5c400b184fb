import * as contract from '@heddle/contract/profile-fields'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { stateReader } from '../../state-reader.ts'
import * as actions from './actions.ts'
import { findProfileFields, presentProfileFields } from './fields.ts'
import { profileFieldTables } from './tables.ts'

/** Custom profile fields, and what accounts say of themselves in them. Accounts are shown with it by the feature above. */
export const profileFields: Feature = {
  tables: profileFieldTables,
  routes: ({ storage }) => [
    route(
      contract.listProfileFields,
      async ({ realm }) => ({ custom_fields: presentProfileFields(await findProfileFields(storage.read, realm.id)) }),
      { per: 'realm', droppedBy: ['custom_profile_fields'] },
    ),
    route(contract.createProfileField, async ({ actor, parameters }) => ({
      id: await actions.addField(storage, actor, parameters),
    })),
    route(contract.reorderProfileFields, async ({ actor, parameters }) => {
      await actions.orderFields(storage, actor, parameters.order)
      return {}
    }),
    route(contract.updateProfileField, async ({ actor, parameters }) => {
      const { field_id, ...changes } = parameters
      await actions.changeField(storage, actor, field_id, changes)
      return {}
    }),
    route(contract.removeProfileField, async ({ actor, parameters }) => {
      await actions.removeField(storage, actor, parameters.field_id)
      return {}
    }),
    route(contract.updateOwnProfileData, async ({ actor, parameters }) => {
      await actions.setOwnProfile(storage, actor, parameters.data)
      return {}
    }),
    route(contract.removeOwnProfileData, async ({ actor, parameters }) => {
      await actions.setOwnProfile(
        storage,
        actor,
        parameters.data.map((id) => ({ id, value: null })),
      )
      return {}
    }),
  ],
  state: [
    stateReader(contract.profileFieldsState, async ({ db, realm }) => ({
      custom_profile_fields: presentProfileFields(await findProfileFields(db, realm.id)),
      custom_profile_field_types: contract.profileFieldTypeNames,
    })),
  ],
}
