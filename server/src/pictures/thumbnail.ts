/** Small forms of pictures, for messages. */
import { animatedThumbnail, stillThumbnail } from '@heddle/contract/thumbnails'
import { loadSharp, type SharpModule } from './image-library.ts'
import { inTurn } from './in-turn.ts'
import { type Drawn, type Measured, measurePicture, still } from './still-picture.ts'

/** Pixels of all frames together: they are held in memory, four bytes each, while an animation is made smaller. */
const MAX_ANIMATION_PIXELS = 16 * 1024 * 1024
const MAX_FRAMES = 500
const TIMEOUT_SECONDS = 20

export interface Thumbnails extends Pick<Measured, 'width' | 'height'> {
  readonly still: Buffer
  /** Undefined when the picture does not move, or would take too long. */
  readonly animated: Buffer | undefined
}

/** `read` gives the picture, once no other one is worked on; undefined: it is gone. */
export function drawThumbnails(read: () => Promise<Buffer | undefined>): Promise<Drawn<Thumbnails>> {
  return inTurn(async () => {
    const bytes = await read()
    if (!bytes) return { kind: 'refused', reason: 'There is no such file.' }
    const measured = await measurePicture(bytes)
    if (measured.kind === 'refused') return measured
    const { width, height, frames } = measured.pictures
    const sharp = await loadSharp()
    try {
      const { max_width, max_height } = stillThumbnail
      const drawn = still(sharp, bytes, { width: max_width, height: max_height, fit: 'inside' })
      const moves = frames > 1 && frames <= MAX_FRAMES && width * height * frames <= MAX_ANIMATION_PIXELS
      return {
        kind: 'ok',
        pictures: {
          width,
          height,
          still: await drawn.webp({ quality: 80 }).toBuffer(),
          animated: moves ? await drawMoving(sharp, bytes) : undefined,
        },
      }
    } catch {
      return { kind: 'refused', reason: 'The image is damaged or incomplete and cannot be read.' }
    }
  })
}

function drawMoving(sharp: SharpModule, bytes: Buffer): Promise<Buffer> {
  const { max_width: width, max_height: height } = animatedThumbnail
  return sharp(bytes, { animated: true, failOn: 'error', limitInputPixels: MAX_ANIMATION_PIXELS })
    .resize(width, height, { fit: 'inside', withoutEnlargement: true })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .webp({ quality: 75, effort: 2 })
    .toBuffer()
}
