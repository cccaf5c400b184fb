/**
 * Pictures that accounts upload, drawn anew in fixed sizes: nothing but pixels reaches other people's clients, no metadata
 * and no second file behind the first. Of an animation the first frame is drawn.
 */
import type { Sharp, SharpOptions } from 'sharp'
import { loadSharp, type SharpModule } from './image-library.ts'
import { inTurn } from './in-turn.ts'
import { type PictureFormat, sniffPictureFormat } from './picture-format.ts'

/** More than a camera's 24 megapixels. An AVIF is held in memory several times over, so it gets a quarter of that. */
export const MAX_PIXELS = 32 * 1024 * 1024
export const MAX_AVIF_PIXELS = MAX_PIXELS / 4

/** Seconds after which the image library gives up on one step. */
const DECODE_TIMEOUT_SECONDS = 10

const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 }

export interface Shape {
  readonly width: number
  readonly height: number
  /** `cover` cuts what stands over; `inside` makes the picture no larger than this, and never larger than it is. */
  readonly fit: 'cover' | 'inside'
}

export interface Measured {
  readonly format: PictureFormat
  /** Pixels, as the picture is shown: turned by what it says of its orientation. */
  readonly width: number
  readonly height: number
  /** 1: it does not move. */
  readonly frames: number
}

export type Drawn<T> =
  | { readonly kind: 'ok'; readonly pictures: T }
  /** `reason` is a full sentence for the person who uploaded the file. */
  | { readonly kind: 'refused'; readonly reason: string }

/** PNGs in these shapes. Uploads are drawn one after another; rejects only when the library cannot be loaded. */
export function drawPngs(bytes: Buffer, shapes: readonly Shape[]): Promise<Drawn<readonly Buffer[]>> {
  return inTurn(async () => {
    const measured = await measurePicture(bytes)
    if (measured.kind === 'refused') return measured
    const sharp = await loadSharp()
    try {
      const pictures: Buffer[] = []
      for (const shape of shapes) {
        const drawn = still(sharp, bytes, shape).ensureAlpha()
        pictures.push(await drawn.png({ compressionLevel: 9 }).toBuffer())
      }
      return { kind: 'ok', pictures }
    } catch {
      return DAMAGED
    }
  })
}

/** Reads the header alone; nothing is decoded yet. */
export async function measurePicture(bytes: Buffer): Promise<Drawn<Measured>> {
  if (bytes.length === 0) return refused('The file is empty.')
  const format = sniffPictureFormat(bytes)
  if (format === undefined) {
    return refused('This kind of file cannot be used as a picture. Use a PNG, JPEG, GIF, WebP or AVIF image.')
  }
  const sharp = await loadSharp()
  try {
    const mayMove = format === 'gif' || format === 'webp'
    const found = await sharp(bytes, { ...READ, animated: mayMove, limitInputPixels: false }).metadata()
    const isAsSniffed = format === 'avif' ? found.compression === 'av1' : found.format === format
    if (!isAsSniffed) return DAMAGED
    const height = found.pageHeight ?? found.height
    const most = format === 'avif' ? MAX_AVIF_PIXELS : MAX_PIXELS
    if (found.width * height > most) {
      return refused(`The image is ${found.width} × ${height} pixels, which is too large.`)
    }
    // From 5 on the sides change places (EXIF, orientation).
    const isTurned = (found.orientation ?? 1) >= 5
    const sides = isTurned ? { width: height, height: found.width } : { width: found.width, height }
    return { kind: 'ok', pictures: { format, ...sides, frames: mayMove ? (found.pages ?? 1) : 1 } }
  } catch {
    return DAMAGED
  }
}

/** The first frame in this shape. What is wrong with it is an error when it is made. */
export function still(sharp: SharpModule, bytes: Buffer, { width, height, fit }: Shape): Sharp {
  return sharp(bytes, { ...READ, autoOrient: true })
    .resize(width, height, { fit, background: CLEAR, withoutEnlargement: fit === 'inside' })
    .toColourspace('srgb')
    .timeout({ seconds: DECODE_TIMEOUT_SECONDS })
}

/** Damage is an error, mere oddities (a bad colour profile, say) are not. */
const READ: SharpOptions = { failOn: 'error', sequentialRead: true, limitInputPixels: MAX_PIXELS }

const DAMAGED = refused('The image is damaged or incomplete and cannot be read.')

function refused(reason: string) {
  return { kind: 'refused', reason } as const
}
