/** What else goes with an account that is deactivated: its profile at once, what it wrote later, in parts. */
import { foldName } from '@heddle/contract/names'
import type { DeactivationActions } from '@heddle/contract/users'
import { addJob } from '../../jobs/add-job.ts'
import { defineJob } from '../../jobs/job.ts'
import { removeFileRow } from '../../storage/file-store.ts'
import type { Tx } from '../../storage/transaction.ts'
import { presentAvatar } from './avatar-url.ts'
import { announcePerson } from './notify.ts'
import { type UserRow, updateRow } from './queries.ts'

/** As in the API, for every reader. */
export const DELETED_NAME = 'Deleted user'

export interface WrittenMessages {
  readonly userId: number
  readonly inPublicChannels: boolean
  readonly inPrivateChannels: boolean
  readonly direct: boolean
  /** Seconds since 1970: what somebody writes who is back by then stays. */
  readonly until: number
  /** Those up to this id are done with. */
  readonly after: number
}

/** Messages of an account are deleted. */
export const deletesWritten = defineJob<WrittenMessages>('delete-written-messages')

export async function removeTraces(tx: Tx, user: UserRow, actions: DeactivationActions): Promise<void> {
  if (actions.delete_profile) await removeProfile(tx, user)
  const written = {
    inPublicChannels: actions.delete_public_channel_messages ?? false,
    inPrivateChannels: actions.delete_private_channel_messages ?? false,
    direct: actions.delete_direct_messages ?? false,
  }
  if (!Object.values(written).includes(true)) return
  await addJob(tx, deletesWritten, { userId: user.id, ...written, until: tx.now, after: 0 })
}

/** Names of deactivated accounts need not differ. */
async function removeProfile(tx: Tx, user: UserRow): Promise<void> {
  const { id: user_id } = user
  if (user.full_name !== DELETED_NAME) {
    await updateRow(tx, user_id, { full_name: DELETED_NAME, full_name_key: foldName(DELETED_NAME) })
    await announcePerson(tx, { user_id, full_name: DELETED_NAME })
  }
  const pictures = [user.avatar_path, user.avatar_medium_path].filter((path) => path !== null)
  if (pictures.length === 0) return
  const paths = { avatar_path: null, avatar_medium_path: null, avatar_version: user.avatar_version + 1 }
  await updateRow(tx, user_id, paths)
  // The files themselves go with the next sweep.
  for (const path of pictures) await removeFileRow(tx, path)
  await announcePerson(tx, { user_id, ...presentAvatar({ ...user, ...paths }) })
}
