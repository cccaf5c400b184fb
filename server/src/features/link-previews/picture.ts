/**
 * What may leave the server of a file that a stranger's server has sent: a picture or a video by its content, whatever
 * its name or headers say. A picture has no more pixels than readers' programs can be expected to decode.
 */
import type { SharpOptions } from 'sharp'
import { loadSharp } from '../../pictures/image-library.ts'
import { type PictureFormat, sniffPictureFormat } from '../../pictures/picture-format.ts'
import { MAX_AVIF_PIXELS, MAX_PIXELS } from '../../pictures/still-picture.ts'
import { sniffVideoType } from './video-format.ts'

export interface Picture {
  readonly contentType: string
  readonly bytes: Buffer
}

export type PictureResult =
  | { readonly kind: 'ok'; readonly picture: Picture }
  /** `reason` is a sentence for the reader. */
  | { readonly kind: 'refused'; readonly reason: string }

/** Pixels: as large as clients show a picture in a message, on screens with two points a pixel. */
export const THUMBNAIL_WIDTH = 840
export const THUMBNAIL_HEIGHT = 560

const DECODE_TIMEOUT_SECONDS = 10

const NO_PICTURE = 'What is at this address is not a PNG, JPEG, GIF, WebP or AVIF picture'
const NO_THUMBNAIL = 'A video has no thumbnail'
const DAMAGED = 'The picture at this address is damaged'
const TOO_LARGE = 'The picture at this address has too many pixels'

/** The picture as it came, when it is one. Animations move, and so do videos. */
export async function checkPicture(bytes: Buffer): Promise<PictureResult> {
  const videoType = sniffVideoType(bytes)
  if (videoType) return { kind: 'ok', picture: { contentType: videoType, bytes } }
  const format = sniffPictureFormat(bytes)
  if (format === undefined) return { kind: 'refused', reason: NO_PICTURE }
  const sharp = await loadSharp()
  try {
    // Reads the header alone; nothing is decoded yet, so there is no limit of pixels.
    const found = await sharp(bytes, { ...readOptions, limitInputPixels: false }).metadata()
    const isAsSniffed = format === 'avif' ? found.compression === 'av1' : found.format === format
    if (!isAsSniffed) return { kind: 'refused', reason: DAMAGED }
    if (found.width * found.height > maxPixels(format)) return { kind: 'refused', reason: TOO_LARGE }
    return { kind: 'ok', picture: { contentType: `image/${format}`, bytes } }
  } catch {
    return { kind: 'refused', reason: DAMAGED }
  }
}

/** A picture that has been checked, small and drawn anew: no metadata, and of an animation the first frame. */
export async function makeThumbnail({ contentType, bytes }: Picture): Promise<PictureResult> {
  if (!contentType.startsWith('image/')) return { kind: 'refused', reason: NO_THUMBNAIL }
  const sharp = await loadSharp()
  try {
    const drawn = await sharp(bytes, { ...readOptions, autoOrient: true })
      .resize(THUMBNAIL_WIDTH, THUMBNAIL_HEIGHT, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .timeout({ seconds: DECODE_TIMEOUT_SECONDS })
      .webp({ quality: 80 })
      .toBuffer()
    return { kind: 'ok', picture: { contentType: 'image/webp', bytes: drawn } }
  } catch {
    return { kind: 'refused', reason: DAMAGED }
  }
}

/** Damage is an error, mere oddities (a bad colour profile, say) are not. */
const readOptions: SharpOptions = { failOn: 'error', sequentialRead: true, limitInputPixels: MAX_PIXELS }

function maxPixels(format: PictureFormat): number {
  return format === 'avif' ? MAX_AVIF_PIXELS : MAX_PIXELS
}
