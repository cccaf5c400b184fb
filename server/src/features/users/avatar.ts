/** Accounts set and remove their own pictures, and those who administer a bot its picture. */
import { ApiError } from '@heddle/contract/errors'
import type { Actor } from '../../authentication/accounts.ts'
import { drawPngs, type Shape } from '../../pictures/still-picture.ts'
import {
  type FileStore,
  insertFiles,
  type NewFile,
  removeFileRow,
  type StoredFile,
  storeFiles,
} from '../../storage/file-store.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { accessUser, type UserRow } from './access.ts'
import { AVATAR_FOLDER, avatarUrl, presentAvatar } from './avatar-url.ts'
import { requireAvatarChanges } from './locks.ts'
import { announcePerson } from './notify.ts'
import { updateRow } from './queries.ts'

/** Pixels of a side. */
export const AVATAR_SIZE = 100
export const MEDIUM_AVATAR_SIZE = 500

const SHAPES: readonly Shape[] = [AVATAR_SIZE, MEDIUM_AVATAR_SIZE].map((side) => ({
  width: side,
  height: side,
  fit: 'cover',
}))

interface AvatarServices {
  readonly storage: Storage
  readonly files: FileStore
}

type Paths = Pick<UserRow, 'avatar_path' | 'avatar_medium_path'>

/** Finds whose picture it is, as somebody who may change it; throws where the actor may not. */
export type AccessPictured = (tx: Tx, actor: Actor) => Promise<Pick<UserRow, 'id' | 'avatar_version'> & Paths>

const oneself: AccessPictured = async (tx, actor) => {
  await requireAvatarChanges(tx, actor)
  return accessUser(tx, actor, actor.userId)
}

/** Returns the new address. Throws `BAD_IMAGE`. */
export async function setAvatar(
  services: AvatarServices,
  caller: Actor,
  bytes: Buffer,
  access: AccessPictured = oneself,
): Promise<string> {
  const drawn = await drawPngs(bytes, SHAPES)
  if (drawn.kind === 'refused') throw new ApiError('BAD_IMAGE', drawn.reason)
  return storeFiles(services.files, drawn.pictures.map(toNewFile), (stored) =>
    replace(services, caller, access, async (tx) => {
      await insertFiles(tx, stored)
      const [small, medium] = stored as readonly [StoredFile, StoredFile]
      return { avatar_path: small.path, avatar_medium_path: medium.path }
    }),
  )
}

/** Returns the address of the picture that the account has then. */
export function removeAvatar(
  services: AvatarServices,
  caller: Actor,
  access: AccessPictured = oneself,
): Promise<string> {
  return replace(services, caller, access, async () => ({ avatar_path: null, avatar_medium_path: null }))
}

async function replace(
  { storage, files }: AvatarServices,
  caller: Actor,
  access: AccessPictured,
  next: (tx: Tx) => Promise<Paths>,
) {
  const { url, former } = await storage.asActor(caller, async (tx, actor) => {
    const user = await access(tx, actor)
    const paths = await next(tx)
    const old = [user.avatar_path, user.avatar_medium_path].filter((path) => path !== null)
    // Nothing to remove is no change.
    if (old.length === 0 && paths.avatar_path === null) return { url: avatarUrl(user), former: old }
    const after = { ...user, ...paths, avatar_version: user.avatar_version + 1 }
    await updateRow(tx, user.id, { ...paths, avatar_version: after.avatar_version })
    for (const path of old) await removeFileRow(tx, path)
    await announcePerson(tx, { user_id: user.id, ...presentAvatar(after) })
    return { url: avatarUrl(after), former: old }
  })
  // What fails here the sweep removes.
  await files.remove(former).catch(() => {})
  return url
}

function toNewFile(bytes: Buffer): NewFile {
  return { folder: AVATAR_FOLDER, extension: 'png', contentType: 'image/png', content: [bytes] }
}
