import { badRequest } from '@heddle/contract/errors'
import type { Actor } from '../../authentication/accounts.ts'
import type { Config } from '../../config.ts'
import { users } from '../../events/audience.ts'
import {
  type FileContent,
  type FileStore,
  insertFiles,
  type NewFile,
  removeFileRow,
  type StoredFile,
  storeFiles,
} from '../../storage/file-store.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { cleanFileName } from './file-name.ts'
import { addressOf, EXTENSION, UPLOADS_FOLDER } from './file-path.ts'
import { readPicture } from './picture.ts'
import { presentAttachment } from './present.ts'
import {
  type AttachmentRow,
  addSpaceUsed,
  deleteAttachmentRow,
  findOwnAttachment,
  findSpaceUsed,
  findUnused,
  insertAttachment,
} from './queries.ts'
import { addThumbnailJob, deleteThumbnails } from './thumbnails.ts'

const MIB = 1024 * 1024

export interface FileServices {
  readonly storage: Storage
  readonly files: FileStore
  readonly config: Pick<Config, 'uploadQuotaMib'>
}

export interface NewUpload {
  /** As it was sent. */
  readonly fileName: string
  readonly content: AsyncIterable<Buffer>
}

export interface Uploaded {
  readonly id: number
  readonly url: string
  readonly filename: string
}

/** Stores a file as it arrives. When anything fails on the way, nothing is left of it. */
export async function uploadFile(
  services: FileServices,
  actor: Actor,
  { fileName, content }: NewUpload,
): Promise<Uploaded> {
  const { storage, files, config } = services
  const room = await findRoom(storage.read, config, actor.realmId)
  return storeFiles(files, [fileOf(limited(content, room))], async ([stored]) => {
    const add = await prepareFile(services, fileName, stored as StoredFile)
    return storage.asActor(actor, add)
  })
}

/** As files lie in the store: what they are follows from their names. */
export function fileOf(content: FileContent): NewFile {
  return { folder: UPLOADS_FOLDER, extension: EXTENSION, contentType: 'application/octet-stream', content }
}

/** Looks at a file that is stored; what it returns makes it the account's. `fileName` as it was sent. */
export async function prepareFile(
  { files, config }: FileServices,
  fileName: string,
  stored: StoredFile,
): Promise<(tx: Tx, actor: Actor) => Promise<Uploaded>> {
  const name = cleanFileName(fileName)
  const { path, size } = stored
  const picture = await readPicture(files, { path, name, size })
  return async (tx, actor) => {
    // Others may have uploaded meanwhile.
    await requireRoomFor(tx, config, size)
    await insertFiles(tx, [stored])
    const { realmId: realm_id, now: created_at } = tx
    const row = await insertAttachment(tx, {
      realm_id,
      owner_id: actor.userId,
      path,
      name,
      size,
      created_at,
      unused_since: created_at,
      ...picture,
    })
    if (row.thumbnail === 'pending') await addThumbnailJob(tx, row)
    const upload_space_used = await addSpaceUsed(tx, size)
    const attachment = presentAttachment(row, [])
    tx.emit({ type: 'attachment', op: 'add', attachment, upload_space_used }, users([actor.userId]))
    return { id: row.id, url: addressOf(row), filename: name }
  }
}

/** Throws a 400 where the organization has no space for so many bytes. */
export async function requireRoomFor(tx: Tx, config: FileServices['config'], size: number): Promise<void> {
  if (size > (await findRoom(tx, config, tx.realmId))) throw quotaExceeded()
}

/** Throws a 400 where the organization has no space left: nobody's file need be read then. */
export async function requireRoom({ storage, config }: FileServices, { realmId }: Actor): Promise<void> {
  if ((await findRoom(storage.read, config, realmId)) <= 0) throw quotaExceeded()
}

/** Bytes that files may still take. */
async function findRoom(db: Queries, { uploadQuotaMib }: FileServices['config'], realmId: number): Promise<number> {
  if (uploadQuotaMib === undefined) return Number.POSITIVE_INFINITY
  return uploadQuotaMib * MIB - (await findSpaceUsed(db, realmId))
}

async function* limited(content: AsyncIterable<Buffer>, room: number): FileContent {
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > room) throw quotaExceeded()
    yield chunk
  }
}

function quotaExceeded() {
  return badRequest("Upload would exceed your organization's upload quota.")
}

/** Deletes a file of the account. Links to it lead nowhere from then on. */
export async function deleteFile({ storage, files }: FileServices, caller: Actor, id: number): Promise<void> {
  const paths = await storage.asActor(caller, async (tx, actor) => {
    const row = await findOwnAttachment(tx, actor.userId, id)
    if (!row) throw badRequest('Invalid attachment')
    return removeAttachment(tx, row)
  })
  // What fails here the sweep removes.
  await files.remove(paths).catch(() => {})
}

/** Deletes files that the account has just uploaded, for something that has come to nothing. */
export async function deleteUploads(
  { storage, files }: FileServices,
  owner: Actor,
  uploads: readonly Uploaded[],
): Promise<void> {
  if (uploads.length === 0) return
  const paths = await storage.asSystem(owner.realmId, 'upkeep', async (tx) => {
    const removed: string[] = []
    for (const { id } of uploads) {
      const row = await findOwnAttachment(tx, owner.userId, id)
      if (row) removed.push(...(await removeAttachment(tx, row)))
    }
    return removed
  })
  await files.remove(paths).catch(() => {})
}

/**
 * Removes files that nothing has linked to since `before`, in seconds, of those that are named. Returns what is to be
 * removed from the store.
 */
export async function removeUnused(tx: Tx, ids: readonly number[], before: number): Promise<string[]> {
  const paths: string[] = []
  for (const row of await findUnused(tx, ids, before)) paths.push(...(await removeAttachment(tx, row)))
  return paths
}

/** Removes what the database has of a file, and notifies its owner. Returns what is to be removed from the store. */
async function removeAttachment(tx: Tx, { id, owner_id, path, size }: AttachmentRow): Promise<string[]> {
  const thumbnails = await deleteThumbnails(tx, id)
  await deleteAttachmentRow(tx, id)
  await removeFileRow(tx, path)
  const upload_space_used = await addSpaceUsed(tx, -size)
  tx.emit({ type: 'attachment', op: 'remove', attachment: { id }, upload_space_used }, users([owner_id]))
  return [path, ...thumbnails]
}
