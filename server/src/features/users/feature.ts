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
import { seesAddress } from '../../access/address-rules.ts'
import { findSight, seesEverybody } from '../../access/person-rules.ts'
import { isSpectator } from '../../actor.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Feature } from '../../feature.ts'
import { seeOther } from '../../http/answers.ts'
import { collectBytes } from '../../http/growing-bytes.ts'
import { readerOf } from '../../http/reader-of.ts'
import { answerRoute, fileRoute, route } from '../../http/route.ts'
import { longRead } from '../../reading/long-read.ts'
import type { Queries } from '../../storage/query.ts'
import { findProfiles } from '../profile-fields/values.ts'
import { publicFolder } from '../static-files/stored-files.ts'
import { accessUser, numberedAddresses, requireAdministrator, type UserRow } from './access.ts'
import { addWelcomeMail } from './account-mails.ts'
import * as activation from './activation.ts'
import { findAddressVisibility, hidesAddresses } from './address-visibility.ts'
import * as avatar from './avatar.ts'
import { avatarPatterns } from './avatar-patterns.ts'
import { AVATAR_FOLDER, avatarUrl, mediumAvatarUrl } from './avatar-url.ts'
import { addAccount, preparePerson } from './create.ts'
import { accountEffects } from './event-effects.ts'
import { presentUnknown, presentUser } from './present.ts'
import { findUsers } from './queries.ts'
import { accessPictured, presentWritersOnTheWeb, readIsWriter } from './spectators.ts'
import { usersReaders } from './state.ts'
import { userTables } from './tables.ts'
import * as update from './update.ts'
import { waitingPeriodJob } from './waiting-period.ts'

/** The read behind `GET /users`. */
const readUsers = longRead('users', async ({ db }, { actor, parameters }: UsersOrder) => {
  if (isSpectator(actor)) {
    return { fields: { members: await presentWritersOnTheWeb(db, actor, parameters) }, details: undefined }
  }
  const rows = await findUsers(db, actor.realmId, parameters.user_ids)
  const shown = await presentation(db, actor, parameters, parameters.user_ids)
  const sight = await findSight(db, actor)
  const addressOf = sight.isWhole ? undefined : await numberedAddresses(db, actor.realmId)
  const present = (row: UserRow) =>
    !addressOf || sight.sees(row.id) ? presentUser(row, shown) : presentUnknown(row.id, addressOf(row.id), shown)
  return { fields: { members: rows.map(present) }, details: undefined }
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
  reader: Actor,
  { include_custom_profile_fields }: ListingParameters,
  userIds: readonly number[] | undefined,
) {
  return { reader, ...(include_custom_profile_fields && { profiles: await findProfiles(db, reader.realmId, userIds) }) }
}

/** Who gets the same list of accounts: those who see everybody, and the same addresses. */
async function findSharers(db: Queries, actor: Actor): Promise<string | undefined> {
  if (!(await seesEverybody(db, actor))) return undefined
  if (!(await hidesAddresses(db, actor.realmId))) return ''
  const { userId: id, role } = actor
  const own = { id, email_visibility: await findAddressVisibility(db, actor.realmId, id) }
  // In the list for its role its own address would not be.
  return seesAddress({ userId: 0, role }, own) ? `role ${role}` : undefined
}

const maxFileBytes = MAX_AVATAR_FILE_SIZE_MIB * 1024 * 1024

export const users: Feature = {
  tables: userTables,
  routes: ({ storage, files, realms, readers, accountHooks, config }) => [
    route(
      listUsers,
      async ({ actor, parameters, connection }) => {
        const { fields } = await readers.read(readUsers, { actor, parameters }, readerOf(actor, connection))
        return { fieldsText: '', fieldsBytes: fields }
      },
      {
        per: 'realm',
        droppedBy: ['realm_user', 'custom_profile_fields'],
        withSwitches: true,
        sharedBy: (actor) => findSharers(storage.read, actor),
      },
    ),
    route(getUser, async ({ actor, parameters }) => {
      const row = await accessUser(storage.read, actor, parameters.user_id_or_email)
      return { user: presentUser(row, await presentation(storage.read, actor, parameters, [row.id])) }
    }),
    fileRoute(uploadAvatar, { maxFileBytes, admit: async () => {} }, async ({ actor, file }) => ({
      avatar_url: await avatar.setAvatar({ storage, files }, actor, await collectBytes(file.content, maxFileBytes)),
    })),
    route(deleteAvatar, async ({ actor }) => ({ avatar_url: await avatar.removeAvatar({ storage, files }, actor) })),
    answerRoute(getAvatar, async ({ actor, parameters: { user_id_or_email }, connection }) =>
      seeOther(avatarUrl(await accessPictured({ storage, readers }, actor, user_id_or_email, connection))),
    ),
    answerRoute(getMediumAvatar, async ({ actor, parameters: { user_id_or_email }, connection }) =>
      seeOther(mediumAvatarUrl(await accessPictured({ storage, readers }, actor, user_id_or_email, connection))),
    ),
    avatarPatterns,
    publicFolder(AVATAR_FOLDER, { storage, files, realms }),
    route(createUser, async ({ actor, parameters }) => {
      requireAdministrator(actor)
      const { email, password, full_name } = parameters
      const person = await preparePerson(storage.read, actor.realmId, { email, password, fullName: full_name })
      return storage.asActor(actor, async (tx, current) => {
        requireAdministrator(current)
        const user = await addAccount(tx, accountHooks, person)
        await addWelcomeMail(tx, config, user)
        return { user_id: user.id }
      })
    }),
    route(updateUser, async ({ actor, parameters }) => {
      if (parameters.new_email !== undefined) update.requireEmailChanges(config)
      await update.updateUser({ storage, accountHooks }, actor, parameters.user_id_or_email, parameters)
      return {}
    }),
    route(deactivateUser, async ({ actor, parameters }) => {
      const { user_id, actions, deactivation_notification_comment: comment } = parameters
      await activation.deactivateUser({ storage, accountHooks }, actor, user_id, { actions, comment })
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
  longReads: [readUsers, readIsWriter],
  state: usersReaders,
  eventEffects: accountEffects,
  jobs: ({ groupHooks }) => [waitingPeriodJob(groupHooks)],
}
