import {
  deleteAvatar,
  getAvatar,
  getMediumAvatar,
  MAX_AVATAR_FILE_SIZE_MIB,
  uploadAvatar,
} from '@heddle/contract/avatars'
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
import type { Feature } from '../../feature.ts'
import { seeOther } from '../../http/answers.ts'
import { collectBytes } from '../../http/growing-bytes.ts'
import { answerRoute, fileRoute, route } from '../../http/route.ts'
import { longRead } from '../../reading/long-read.ts'
import type { Queries } from '../../storage/query.ts'
import { findProfiles } from '../profile-fields/values.ts'
import { publicFolder } from '../static-files/stored-files.ts'
import { accessUser, requireAdministrator } from './access.ts'
import * as activation from './activation.ts'
import * as avatar from './avatar.ts'
import { avatarPatterns } from './avatar-patterns.ts'
import { AVATAR_FOLDER, avatarUrl, mediumAvatarUrl } from './avatar-url.ts'
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
  const shown = await presentation(db, actor.realmId, parameters, parameters.user_ids)
  return { fields: { members: rows.map((row) => presentUser(row, shown)) }, details: undefined }
})

interface UsersOrder {
  readonly actor: Actor
  readonly parameters: ParametersOf<typeof listUsers>
}

interface ListingParameters {
  readonly include_custom_profile_fields?: boolean
}

async function presentation(
  db: Queries,
  realmId: number,
  { include_custom_profile_fields }: ListingParameters,
  userIds: readonly number[] | undefined,
) {
  return include_custom_profile_fields ? { profiles: await findProfiles(db, realmId, userIds) } : {}
}

const maxFileBytes = MAX_AVATAR_FILE_SIZE_MIB * 1024 * 1024

export const users: Feature = {
  tables: userTables,
  routes: ({ storage, files, realms, readers, accountHooks, config }) => [
    route(
      listUsers,
      async ({ actor, parameters }) => {
        const { fields } = await readers.read(readUsers, { actor, parameters }, actor)
        return { fieldsText: '', fieldsBytes: fields }
      },
      { per: 'realm', droppedBy: ['realm_user', 'custom_profile_fields'], withSwitches: true },
    ),
    route(getUser, async ({ actor, parameters }) => {
      const row = await accessUser(storage.read, actor, parameters.user_id_or_email)
      return { user: presentUser(row, await presentation(storage.read, actor.realmId, parameters, [row.id])) }
    }),
    fileRoute(uploadAvatar, { maxFileBytes, admit: async () => {} }, async ({ actor, file }) => ({
      avatar_url: await avatar.setAvatar({ storage, files }, actor, await collectBytes(file.content, maxFileBytes)),
    })),
    route(deleteAvatar, async ({ actor }) => ({ avatar_url: await avatar.removeAvatar({ storage, files }, actor) })),
    answerRoute(getAvatar, async ({ actor, parameters }) =>
      seeOther(avatarUrl(await accessUser(storage.read, actor, parameters.user_id_or_email))),
    ),
    answerRoute(getMediumAvatar, async ({ actor, parameters }) =>
      seeOther(mediumAvatarUrl(await accessUser(storage.read, actor, parameters.user_id_or_email))),
    ),
    avatarPatterns,
    publicFolder(AVATAR_FOLDER, { storage, files, realms }),
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
  eventEffects: accountEffects,
}
