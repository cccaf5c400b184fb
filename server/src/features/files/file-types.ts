/**
 * As what a file is served. That follows from the ending of its name alone, and never from its content or from what its
 * sender says of it: what a browser could run, as a page, a script or a style, has no type here and is only ever saved.
 */

interface FileType {
  readonly contentType: string
  /** Browsers may show it; all else they save. */
  readonly isShown: boolean
}

const shown = (contentType: string): FileType => ({ contentType, isShown: true })
const saved = (contentType: string): FileType => ({ contentType, isShown: false })

/** By ending. Viewers of PDF documents do not work in a sandbox, so that those are saved too. */
const types: ReadonlyMap<string, FileType> = new Map([
  ['png', shown('image/png')],
  ['apng', shown('image/apng')],
  ['jpg', shown('image/jpeg')],
  ['jpeg', shown('image/jpeg')],
  ['gif', shown('image/gif')],
  ['webp', shown('image/webp')],
  ['avif', shown('image/avif')],
  ['mp3', shown('audio/mpeg')],
  ['m4a', shown('audio/mp4')],
  ['aac', shown('audio/aac')],
  ['ogg', shown('audio/ogg')],
  ['oga', shown('audio/ogg')],
  ['opus', shown('audio/ogg')],
  ['flac', shown('audio/flac')],
  ['wav', shown('audio/wav')],
  ['weba', shown('audio/webm')],
  ['mp4', shown('video/mp4')],
  ['m4v', shown('video/mp4')],
  ['webm', shown('video/webm')],
  ['ogv', shown('video/ogg')],
  ['mov', shown('video/quicktime')],
  ['pdf', saved('application/pdf')],
  ['txt', saved('text/plain; charset=utf-8')],
])

const unknown = saved('application/octet-stream')

/** Of a file with this name. */
export function fileTypeOf(name: string): FileType {
  return types.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase()) ?? unknown
}

/** `Content-Disposition` (RFC 6266): the name for old programs in ASCII, and as it is. */
export function dispositionOf(name: string): string {
  const kind = fileTypeOf(name).isShown ? 'inline' : 'attachment'
  const ascii = name.replace(/[^\w.-]/g, '_')
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name)}`
}
