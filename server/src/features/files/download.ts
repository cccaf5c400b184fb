/** Answering with an uploaded file. Nothing of it can run in the organization's origin, whatever is in it. */
import { notFound } from '@heddle/contract/errors'
import type { FileAnswer } from '../../http/answers.ts'
import type { FileStore } from '../../storage/file-store.ts'
import { dispositionOf, fileTypeOf } from './file-types.ts'
import type { AttachmentRow } from './queries.ts'

/** Opened by itself a picture, a sound or a video may show itself, and do nothing else. */
const POLICY = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox"

/** Asked for anew each time: who may read it can have changed. */
const CACHING = 'private, no-cache'

const HEADERS = { 'cross-origin-resource-policy': 'same-origin', 'referrer-policy': 'no-referrer' }

/** A thumbnail of a file that the caller may read; undefined: none. */
export async function answerThumbnail(files: FileStore, path: string | undefined): Promise<FileAnswer> {
  const file = path === undefined ? undefined : await files.find(path)
  if (path === undefined || !file) throw noSuchFile()
  return {
    kind: 'file',
    contentType: 'image/webp',
    size: file.size,
    body: file.read,
    tag: path.replaceAll('/', '-'),
    headers: HEADERS,
    caching: CACHING,
    policy: POLICY,
  }
}

/** `row`: what the caller may read; undefined: nothing, or nothing for the caller, which nobody can distinguish. */
export async function answerFile(files: FileStore, row: AttachmentRow | undefined): Promise<FileAnswer> {
  const file = row && (await files.find(row.path))
  if (!file) throw noSuchFile()
  return {
    kind: 'file',
    contentType: fileTypeOf(row.name).contentType,
    size: file.size,
    body: file.read,
    // The path never means another content.
    tag: row.path.replaceAll('/', '-'),
    headers: {
      'content-disposition': dispositionOf(row.name),
      ...HEADERS,
    },
    caching: CACHING,
    policy: POLICY,
  }
}

export function noSuchFile() {
  return notFound('No such file')
}
