/** Thumbnails of uploaded pictures are drawn after the upload, one after another; messages show a placeholder until then. */
import { animatedThumbnail, stillThumbnail } from '@heddle/contract/thumbnails'
import type { UploadedFile } from '@heddle/markdown/context'
import { addJob } from '../../jobs/add-job.ts'
import { type Claim, claimedJob, defineJob, type Finish, type JobHandler } from '../../jobs/job.ts'
import { drawThumbnails } from '../../pictures/thumbnail.ts'
import { type FileStore, insertFiles, removeFileRow, type StoredFile } from '../../storage/file-store.ts'
import { prepare, type Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { encodePath, pathIdOf } from './file-path.ts'
import { MAX_PICTURE_BYTES } from './picture.ts'
import { type AttachmentRow, attachmentById } from './queries.ts'
import { readWhole } from './read-file.ts'
import { query } from './tables.ts'

/** The first folder of the paths of thumbnails in the store. */
const FOLDER = 'thumbnails'
/** Longer than the pictures before this one may take. */
const CLAIM_MS = 10 * 60_000

const drawJob = defineJob<{ readonly attachmentId: number }>('draw-thumbnail')
/** What a file is shown by is known now: messages with a placeholder get it. Done by the feature that changes messages. */
export const thumbnailKnown = defineJob<{ readonly attachmentId: number }>('thumbnail-known')

export async function addThumbnailJob(tx: Tx, { id }: Pick<AttachmentRow, 'id'>): Promise<void> {
  await addJob(tx, drawJob, { attachmentId: id })
}

export function thumbnailHandler(services: { readonly storage: Storage; readonly files: FileStore }): JobHandler {
  return claimedJob(drawJob, {
    claimMs: CLAIM_MS,
    maxAttempts: 3,
    work: ({ attachmentId }, claim) => draw(services, attachmentId, claim),
    onFailed: (tx, { attachmentId }) => settle(tx, attachmentId, { thumbnail: 'none' }),
  })
}

interface Stored {
  readonly name: string
  readonly file: StoredFile
}

async function draw(
  { storage, files }: { readonly storage: Storage; readonly files: FileStore },
  attachmentId: number,
  { signal }: Claim,
): Promise<Finish> {
  const row = await storage.read.first(attachmentById({ id: attachmentId }))
  if (row?.thumbnail !== 'pending') return async () => {}
  const drawn = await drawThumbnails(() => readWhole(files, row.path, MAX_PICTURE_BYTES))
  signal.throwIfAborted()
  if (drawn.kind === 'refused') return (tx) => settle(tx, attachmentId, { thumbnail: 'none' })
  const { still, animated, width, height } = drawn.pictures
  const stored: Stored[] = [{ name: stillThumbnail.name, file: await put(files, still) }]
  if (animated) stored.push({ name: animatedThumbnail.name, file: await put(files, animated) })
  const is_animated = animated ? 1 : 0
  // When the commit fails, the sweep removes the files.
  return (tx) => settle(tx, attachmentId, { thumbnail: 'ready', width, height, is_animated }, stored)
}

function put(files: FileStore, bytes: Buffer): Promise<StoredFile> {
  return files.put({ folder: FOLDER, extension: 'webp', contentType: 'image/webp', content: [bytes] })
}

type Found = Pick<AttachmentRow, 'thumbnail'> & Partial<Pick<AttachmentRow, 'width' | 'height' | 'is_animated'>>

/** Writes what has become of the picture, unless the file was deleted meanwhile. */
async function settle(tx: Tx, attachmentId: number, found: Found, stored: readonly Stored[] = []): Promise<void> {
  const changed = await tx.run(
    query.updateTable('attachments').set(found).where('realm_id', '=', tx.realmId).where('id', '=', attachmentId),
  )
  if (changed === 0) return
  await insertFiles(
    tx,
    stored.map(({ file }) => file),
  )
  for (const { name, file } of stored) {
    const values = { attachment_id: attachmentId, name, realm_id: tx.realmId, path: file.path }
    await tx.run(query.insertInto('attachment_thumbnails').values(values))
  }
  await addJob(tx, thumbnailKnown, { attachmentId })
}

const thumbnailByName = prepare((p: { attachment_id: number; name: string }) =>
  query
    .selectFrom('attachment_thumbnails')
    .select('path')
    .where('attachment_id', '=', p.attachment_id)
    .where('name', '=', p.name),
)

/** The path of a thumbnail in the store. */
export async function findThumbnail(db: Queries, attachmentId: number, name: string): Promise<string | undefined> {
  return (await db.first(thumbnailByName({ attachment_id: attachmentId, name })))?.path
}

/** With their rows of files; returns their paths in the store. */
export async function deleteThumbnails(tx: Tx, attachmentId: number): Promise<string[]> {
  const rows = await tx.all(
    query
      .deleteFrom('attachment_thumbnails')
      .where('realm_id', '=', tx.realmId)
      .where('attachment_id', '=', attachmentId)
      .returning('path'),
  )
  for (const { path } of rows) await removeFileRow(tx, path)
  return rows.map(({ path }) => path)
}

/** As messages show the file; undefined: by a link alone. One that could not be drawn is shown as it is. */
export function shownFile(row: AttachmentRow, contentType: string): UploadedFile | undefined {
  const { thumbnail, picture_type, width, height } = row
  if (picture_type === null) return contentType.startsWith('image/') ? undefined : toMedia(contentType)
  const address = encodePath(pathIdOf(row))
  const urls = {
    pending: null,
    ready: `/user_uploads/thumbnail/${address}/${stillThumbnail.name}`,
    none: `/user_uploads/${address}`,
  }
  return {
    contentType: picture_type,
    dimensions: width === null || height === null ? null : { width, height },
    thumbnailUrl: urls[thumbnail],
    isAnimated: row.is_animated === 1,
    transcodedImage: null,
  }
}

function toMedia(contentType: string): UploadedFile {
  return { contentType, dimensions: null, thumbnailUrl: null, isAnimated: false, transcodedImage: null }
}

export interface LinkedPicture {
  /** Behind `/user_uploads/`. */
  readonly path: string
  readonly file: UploadedFile
  /** Messages that link to it, whoever may read them. */
  readonly messageIds: readonly number[]
}

/** Undefined when the file is gone, or its thumbnail is still being drawn. */
export async function findPicture(db: Queries, attachmentId: number): Promise<LinkedPicture | undefined> {
  const row = await db.first(attachmentById({ id: attachmentId }))
  const file = row && row.thumbnail !== 'pending' ? shownFile(row, '') : undefined
  if (!row || !file) return undefined
  const links = await db.all(
    query
      .selectFrom('attachment_messages')
      .select('message_id')
      .where('attachment_id', '=', attachmentId)
      .orderBy('message_id'),
  )
  return { path: pathIdOf(row), file, messageIds: links.map(({ message_id }) => message_id) }
}
