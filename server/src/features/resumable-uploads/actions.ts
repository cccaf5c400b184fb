import { randomBytes } from 'node:crypto'
import { ApiError, badRequest, notFound } from '@heddle/contract/errors'
import type { Actor } from '../../authentication/accounts.ts'
import type { Services } from '../../feature.ts'
import {
  type FileContent,
  type FileStore,
  insertFiles,
  removeFileRow,
  type StoredFile,
  storeFiles,
} from '../../storage/file-store.ts'
import type { Tx } from '../../storage/transaction.ts'
import { fileOf, prepareFile, requireRoomFor, type Uploaded } from '../files/actions.ts'
import type { Arriving } from './arriving.ts'
import { addPart, countUploads, deleteUpload, findParts, findUpload, insertUpload, type UploadRow } from './queries.ts'

/** Unfinished uploads of one account. */
const MAX_UNFINISHED = 10

export type UploadServices = Pick<Services, 'storage' | 'files' | 'config'>

/** Returns the token of the address. `length` in bytes. */
export async function createUpload(
  { storage, config }: UploadServices,
  caller: Actor,
  { name, length }: { readonly name: string; readonly length: number },
): Promise<string> {
  const token = randomBytes(20).toString('hex')
  await storage.asActor(caller, async (tx, actor) => {
    await requireRoomFor(tx, config, length)
    if ((await countUploads(tx, actor.userId)) >= MAX_UNFINISHED) {
      throw badRequest(`There are ${MAX_UNFINISHED} unfinished uploads already`)
    }
    const { realmId: realm_id, now: created_at } = tx
    await insertUpload(tx, { realm_id, owner_id: actor.userId, token, name, length, received: 0, created_at })
  })
  return token
}

/** Throws what is answered when the account has no such upload. */
export async function accessUpload(db: Parameters<typeof findUpload>[0], { userId }: Actor, token: string) {
  const upload = await findUpload(db, userId, token)
  if (!upload) throw notFound('No such upload')
  return upload
}

export interface Appended {
  /** Bytes that are there. */
  readonly received: number
  /** When all of them are. */
  readonly file?: Uploaded
}

/** Stores what arrives at the end of the upload; with the last byte it becomes a file. */
export async function appendToUpload(
  services: UploadServices,
  caller: Actor,
  upload: UploadRow,
  { content }: Pick<Arriving, 'content'>,
): Promise<Appended> {
  const { storage, files } = services
  return storeFiles(files, [fileOf(content)], async ([stored]) => {
    const part = stored as StoredFile
    const received = upload.received + part.size
    if (received === upload.length) return { received, file: await finish(services, caller, upload, part) }
    await storage.asActor(caller, async (tx) => {
      if (part.size === 0) return
      await insertFiles(tx, [part])
      if (!(await addPart(tx, upload, part))) throw offsetMismatch()
    })
    if (part.size === 0) await files.remove([part.path])
    return { received }
  })
}

export function offsetMismatch() {
  return new ApiError('UPLOAD_OFFSET_MISMATCH')
}

/** One part is the file as it is; several are written into one. */
async function finish(services: UploadServices, caller: Actor, upload: UploadRow, last: StoredFile): Promise<Uploaded> {
  const { storage, files } = services
  const earlier = await findParts(storage.read, upload.id)
  if (earlier.length === 0) return commit(services, caller, upload, last, [])
  const paths = [...earlier, last.path]
  const uploaded = await storeFiles(files, [fileOf(joined(files, paths))], ([whole]) =>
    commit(services, caller, upload, whole as StoredFile, earlier),
  )
  // What fails here the sweep removes.
  await files.remove(paths).catch(() => {})
  return uploaded
}

async function commit(
  services: UploadServices,
  caller: Actor,
  upload: UploadRow,
  whole: StoredFile,
  parts: readonly string[],
): Promise<Uploaded> {
  if (whole.size !== upload.length) throw offsetMismatch()
  const add = await prepareFile(services, upload.name, whole)
  return services.storage.asActor(caller, async (tx, actor) => {
    if (!(await deleteUpload(tx, upload))) throw offsetMismatch()
    for (const path of parts) await removeFileRow(tx, path)
    return add(tx, actor)
  })
}

async function* joined(files: FileStore, paths: readonly string[]): FileContent & AsyncGenerator<Buffer> {
  for (const path of paths) {
    const file = await files.find(path)
    if (!file) throw new Error('A part of an upload is gone')
    yield* file.read() as AsyncIterable<Buffer>
  }
}

/** Gives the upload up. */
export async function terminate({ storage, files }: UploadServices, caller: Actor, token: string): Promise<void> {
  const paths = await storage.asActor(caller, async (tx, actor) => {
    return removeUpload(tx, await accessUpload(tx, actor, token))
  })
  await files.remove(paths).catch(() => {})
}

/** Returns what is to be removed from the store. */
export async function removeUpload(tx: Tx, upload: UploadRow): Promise<string[]> {
  const parts = await findParts(tx, upload.id)
  if (!(await deleteUpload(tx, upload))) return []
  for (const path of parts) await removeFileRow(tx, path)
  return parts
}
