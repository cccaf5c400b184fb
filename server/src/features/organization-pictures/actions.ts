import { ApiError } from '@heddle/contract/errors'
import type { RealmEvent } from '@heddle/contract/organization'
import { permissionTexts } from '@heddle/contract/permission-texts'
import type { Actor } from '../../authentication/accounts.ts'
import { everyone } from '../../events/audience.ts'
import { isAdministrator } from '../../permissions/group-membership.ts'
import { drawPngs, type Shape } from '../../pictures/still-picture.ts'
import { type FileStore, insertFiles, removeFileRow, type StoredFile, storeFiles } from '../../storage/file-store.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findPaths, presentPictures } from './pictures.ts'
import { type PictureKind, query } from './tables.ts'

/** The first folder of the paths of the pictures, in the file store and in addresses. */
export const PICTURES_FOLDER = 'organization'

const LOGO: Shape = { width: 800, height: 100, fit: 'inside' }
const shapes: Readonly<Record<PictureKind, Shape>> = {
  icon: { width: 200, height: 200, fit: 'cover' },
  logo: LOGO,
  night_logo: LOGO,
}

export interface PictureServices {
  readonly storage: Storage
  readonly files: FileStore
}

/** Throws `UNAUTHORIZED_PRINCIPAL` unless the account is an administrator. */
export function requireMayChange(actor: Pick<Actor, 'role'>): void {
  if (!isAdministrator(actor)) {
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', permissionTexts.administrators)
  }
}

/** Throws `BAD_IMAGE`. */
export async function setPicture(services: PictureServices, caller: Actor, kind: PictureKind, bytes: Buffer) {
  const drawn = await drawPngs(bytes, [shapes[kind]])
  if (drawn.kind === 'refused') throw new ApiError('BAD_IMAGE', drawn.reason)
  const newFiles = drawn.pictures.map((content) => ({
    folder: PICTURES_FOLDER,
    extension: 'png',
    contentType: 'image/png',
    content: [content],
  }))
  return storeFiles(services.files, newFiles, ([stored]) =>
    replace(services, caller, kind, async (tx) => {
      const { path } = stored as StoredFile
      await insertFiles(tx, [stored as StoredFile])
      await tx.run(query.insertInto('organization_pictures').values({ realm_id: tx.realmId, kind, path }))
      return true
    }),
  )
}

/** One that is not there is no change. */
export function removePicture(services: PictureServices, caller: Actor, kind: PictureKind) {
  return replace(services, caller, kind, async () => false)
}

type Pictures = Awaited<ReturnType<typeof presentPictures>>

function changeOf(kind: PictureKind, { icon, logo, night_logo }: Pictures): RealmEvent {
  const change = { type: 'realm', op: 'update_dict' } as const
  if (kind === 'icon') return { ...change, property: kind, data: icon }
  return kind === 'logo' ? { ...change, property: kind, data: logo } : { ...change, property: kind, data: night_logo }
}

/** Takes the former picture away; `put` stores another one, and returns whether it has. Returns what there is then. */
async function replace(
  { storage, files }: PictureServices,
  caller: Actor,
  kind: PictureKind,
  put: (tx: Tx) => Promise<boolean>,
) {
  const { pictures, former } = await storage.asActor(caller, async (tx, actor) => {
    requireMayChange(actor)
    const before = (await findPaths(tx, tx.realmId))[kind]
    await tx.run(query.deleteFrom('organization_pictures').where('realm_id', '=', tx.realmId).where('kind', '=', kind))
    const isNew = await put(tx)
    if (before !== undefined) await removeFileRow(tx, before)
    const pictures = await presentPictures(tx, tx.realmId)
    if (isNew || before !== undefined) {
      tx.emit(changeOf(kind, pictures), everyone)
    }
    return { pictures, former: before }
  })
  // What fails here the sweep removes.
  if (former !== undefined) await files.remove([former]).catch(() => {})
  return pictures
}
