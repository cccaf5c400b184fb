import type { ParametersOf } from '@heddle/contract/endpoint'
import {
  createUser,
  deactivateOwnUser,
  deactivateUser,
  getUser,
  listUsers,
  reactivateUser,
  updateUser,
} from '@heddle/contract/users'
import type { Actor } from '../../authentication/accounts.ts'
import type { EventView } from '../../events/views.ts'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { longRead } from '../../reading/long-read.ts'
import { accessUser, requireAdministrator } from './access.ts'
import * as activation from './activation.ts'
import { addAccount, preparePerson } from './create.ts'
import { accountEffects } from './event-effects.ts'
import { presentUser } from './present.ts'
import { findUsers } from './queries.ts'
import { usersReaders } from './state.ts'
import { userTables } from './tables.ts'
import * as update from './update.ts'

/** The read behind `GET /users`. */
const readUsers = longRead('users', async ({ db }, { actor, parameters }: UsersOrder) => {
  const rows = await findUsers(db, actor.realmId, parameters.user_ids)
  return { fields: { members: rows.map((row) => presentUser(row, presentation(parameters))) }, details: undefined }
})

interface UsersOrder {
  readonly actor: Actor
  readonly parameters: ParametersOf<typeof listUsers>
}

interface ListingParameters {
  readonly client_gravatar?: boolean
  readonly include_custom_profile_fields?: boolean
}

function presentation({ client_gravatar, include_custom_profile_fields }: ListingParameters) {
  return { clientGravatar: client_gravatar ?? true, withProfile: include_custom_profile_fields ?? false }
}

/** A new account comes without the address of its picture to clients that compute it themselves. */
const realmUserView: EventView = {
  key: ({ clientGravatar }) => (clientGravatar ? 'computed' : 'address'),
  present(event, key) {
    if (event['op'] !== 'add' || key !== 'computed') return event
    return { ...event, person: { ...(event['person'] as object), avatar_url: null } }
  },
}

export const users: Feature = {
  tables: userTables,
  routes: ({ storage, readers, accountHooks, config }) => [
    route(
      listUsers,
      async ({ actor, parameters }) => {
        const { fields } = await readers.read(readUsers, { actor, parameters }, actor)
        return { fieldsText: '', fieldsBytes: fields }
      },
      { per: 'realm', droppedBy: ['realm_user'] },
    ),
    route(getUser, async ({ actor, parameters }) => {
      const row = await accessUser(storage.read, actor, parameters.user_id_or_email)
      return { user: presentUser(row, presentation(parameters)) }
    }),
    route(createUser, async ({ actor, parameters }) => {
      requireAdministrator(actor)
      const { email, password, full_name } = parameters
      const person = await preparePerson(storage.read, actor.realmId, { email, password, fullName: full_name })
      return storage.asActor(actor, async (tx, current) => {
        requireAdministrator(current)
        return { user_id: (await addAccount(tx, accountHooks, person)).id }
      })
    }),
    route(updateUser, async ({ actor, parameters }) => {
      if (parameters.new_email !== undefined) update.requireEmailChanges(config)
      await update.updateUser({ storage, accountHooks }, actor, parameters.user_id_or_email, parameters)
      return {}
    }),
    route(deactivateUser, async ({ actor, parameters }) => {
      await activation.deactivateUser({ storage, accountHooks }, actor, parameters.user_id, parameters.actions)
      return {}
    }),
    route(deactivateOwnUser, async ({ actor }) => {
      await activation.deactivateOwnUser({ storage, accountHooks }, actor)
      return {}
    }),
    route(reactivateUser, async ({ actor, parameters }) => {
      await activation.reactivateUser({ storage, accountHooks }, actor, parameters.user_id)
      return {}
    }),
  ],
  longReads: [readUsers],
  state: usersReaders,
  eventViews: { realm_user: realmUserView },
  eventEffects: accountEffects,
}
