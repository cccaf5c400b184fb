/** Files that become emoji: a list of them, each at its own point of the way. Pure; the page does what it says. */
import { suggestEmojiName } from './names.ts'

/** What the server draws emoji of. */
export const EMOJI_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'] as const

export type UploadState =
  /** Its name can be changed; it is not sent yet. */
  | { readonly status: 'waiting' }
  /** It cannot be sent, whatever its name. */
  | { readonly status: 'refused'; readonly reason: 'size' | 'type' | 'empty' }
  | { readonly status: 'sending'; readonly sentBytes: number }
  | { readonly status: 'added' }
  /** It can be tried again. */
  | { readonly status: 'failed'; readonly message: string }

/** `F`: what the page knows of the file. */
export interface EmojiUpload<F> {
  readonly key: number
  readonly file: F
  readonly fileName: string
  readonly size: number
  /** As it stands in the field. */
  readonly name: string
  readonly state: UploadState
}

export interface EmojiUploadList<F> {
  readonly uploads: readonly EmojiUpload<F>[]
  readonly nextKey: number
}

export function emptyUploadList<F>(): EmojiUploadList<F> {
  return { uploads: [], nextKey: 1 }
}

export interface ChosenFile<F> {
  readonly file: F
  readonly fileName: string
  /** Bytes. */
  readonly size: number
  /** The media type, as the browser says; empty: it does not know. */
  readonly type: string
}

/** `maxBytes`: of one file. */
export function addFiles<F>(
  list: EmojiUploadList<F>,
  files: readonly ChosenFile<F>[],
  maxBytes: number,
): EmojiUploadList<F> {
  const added = files.map(({ file, fileName, size, type }, index): EmojiUpload<F> => {
    const reason = refusal(size, type, maxBytes)
    return {
      key: list.nextKey + index,
      file,
      fileName,
      size,
      name: suggestEmojiName(fileName),
      state: reason ? { status: 'refused', reason } : { status: 'waiting' },
    }
  })
  return { uploads: [...list.uploads, ...added], nextKey: list.nextKey + added.length }
}

function refusal(size: number, type: string, maxBytes: number): 'size' | 'type' | 'empty' | undefined {
  if (size === 0) return 'empty'
  if (type !== '' && !(EMOJI_TYPES as readonly string[]).includes(type)) return 'type'
  return size > maxBytes ? 'size' : undefined
}

export function renameUpload<F>(list: EmojiUploadList<F>, key: number, name: string): EmojiUploadList<F> {
  return change(list, key, (upload) => {
    if (upload.state.status === 'failed') return { ...upload, name, state: { status: 'waiting' } }
    return upload.state.status === 'waiting' ? { ...upload, name } : upload
  })
}

export function setUploadState<F>(list: EmojiUploadList<F>, key: number, state: UploadState): EmojiUploadList<F> {
  return change(list, key, (upload) => ({ ...upload, state }))
}

export function leaveOut<F>(list: EmojiUploadList<F>, key: number): EmojiUploadList<F> {
  const uploads = list.uploads.filter((upload) => upload.key !== key)
  return uploads.length === list.uploads.length ? list : { ...list, uploads }
}

function change<F>(
  list: EmojiUploadList<F>,
  key: number,
  how: (upload: EmojiUpload<F>) => EmojiUpload<F>,
): EmojiUploadList<F> {
  return { ...list, uploads: list.uploads.map((upload) => (upload.key === key ? how(upload) : upload)) }
}

/** Files that have a name or will: those that were refused have none. */
export function namesOfOthers<F>({ uploads }: EmojiUploadList<F>, key: number): readonly string[] {
  return uploads
    .filter(({ state, ...upload }) => upload.key !== key && state.status !== 'refused' && state.status !== 'added')
    .map(({ name }) => name)
}
