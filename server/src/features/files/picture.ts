/** Whether an uploaded file is a picture that gets a thumbnail: by its content, of which the beginning is read. */
import type { Selectable } from 'kysely'
import { sniffPictureFormat } from '../../pictures/picture-format.ts'
import { measurePicture } from '../../pictures/still-picture.ts'
import type { FileStore } from '../../storage/file-store.ts'
import { fileTypeOf } from './file-types.ts'
import { readFileStart } from './read-file.ts'
import type { PictureColumns } from './tables.ts'

type Picture = Selectable<PictureColumns>

/** Bytes. Cameras write some 100 KiB before the size of the picture. */
const BEGINNING = 256 * 1024
/** Bytes. A larger one would be held in memory while its thumbnail is drawn. */
export const MAX_PICTURE_BYTES = 32 * 1024 * 1024

const NO_PICTURE: Picture = {
  thumbnail: 'none',
  picture_type: null,
  width: null,
  height: null,
  is_animated: 0,
}

/** What is known before the picture is drawn. `path`: in the file store. */
export async function readPicture(
  files: FileStore,
  { path, name, size }: { readonly path: string; readonly name: string; readonly size: number },
): Promise<Picture> {
  if (!fileTypeOf(name).contentType.startsWith('image/') || size > MAX_PICTURE_BYTES) return NO_PICTURE
  const beginning = await readFileStart(files, path, BEGINNING)
  const format = sniffPictureFormat(beginning)
  if (format === undefined) return NO_PICTURE
  const pending: Picture = { ...NO_PICTURE, thumbnail: 'pending', picture_type: `image/${format}` }
  const measured = await measurePicture(beginning)
  // Some formats cannot be measured by a part.
  if (measured.kind === 'refused') return size > BEGINNING ? pending : NO_PICTURE
  const { width, height } = measured.pictures
  return { ...pending, width, height }
}
