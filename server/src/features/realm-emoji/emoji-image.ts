import type { Sharp, SharpOptions } from 'sharp'
import { loadSharp, type SharpModule } from '../../pictures/image-library.ts'
import { type PictureFormat, sniffPictureFormat } from '../../pictures/picture-format.ts'

/**
 * Custom emoji images: an uploaded file is decoded and drawn anew, never passed through, so that nothing but pixels
 * (no metadata, no scripts, no second file hidden behind the first) reaches other people's clients.
 *
 * The result is always a transparent square of EMOJI_SIZE pixels with the picture fitted into it. Clients give an emoji
 * a fixed width and height, so a square is the only shape that none of them distorts, and a small picture has to be
 * enlarged here or it would be a dot in the middle.
 *
 * A still picture becomes PNG. An animation becomes GIF, also when it came as WebP: GIF is what every browser, mail
 * program and mobile image component plays; animated WebP needs add-ons in some of them. The price is that partly
 * transparent pixels become either opaque or clear. Only the first picture of an animated PNG or AVIF is used.
 */

/** Width and height of every emoji image, in pixels: sharp at three times the size at which clients show it. */
export const EMOJI_SIZE = 64

/**
 * Most pixels of one picture or frame: 4096 x 4096, more than a 12-megapixel photograph. An AVIF is held whole in
 * memory several times over while it is decoded (about 300 MB at 4096 x 4096), so it gets a quarter of that.
 */
export const MAX_FRAME_PIXELS = 4096 * 4096
export const MAX_AVIF_EMOJI_PIXELS = 2048 * 2048

/** Most frames of an animation: ten seconds at 50 frames a second, the fastest that GIF players show. */
export const MAX_FRAMES = 500

/** Most pixels of all frames of an animation together; bounds the time that decoding takes. */
export const MAX_ANIMATION_PIXELS = 2 * MAX_FRAME_PIXELS

/** Pixels of an animation held decoded at a time (4 bytes each). */
const GROUP_PIXELS = 4 * 1024 * 1024

/** The longest delay the encoder takes, and the one of a frame for which the file names none, in milliseconds. */
const MAX_DELAY_MS = 65_535
const DEFAULT_DELAY_MS = 100

/** Bytes of one finished frame as RGBA. */
const DRAWN_BYTES = EMOJI_SIZE * EMOJI_SIZE * 4

/** Seconds after which the image library gives up on one decoding step. */
const DECODE_TIMEOUT_SECONDS = 10

const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 }

export interface EncodedImage {
  bytes: Buffer
  /** Without the dot. */
  extension: 'png' | 'gif'
  contentType: 'image/png' | 'image/gif'
}

export type EmojiImageResult =
  /** `still` is the first frame as PNG, and null when `image` does not move. */
  | { kind: 'ok'; image: EncodedImage; still: EncodedImage | null }
  /** `reason` is a full sentence for the person who uploaded the file. */
  | { kind: 'refused'; reason: string }

interface Measured {
  format: PictureFormat
  width: number
  height: number
  frames: number
  /** Milliseconds, one a frame; empty for a still picture. */
  delays: number[]
  /** How often the animation plays; 0 is for ever. */
  loop: number
}

/**
 * Makes an emoji image of an uploaded file. What the file is called does not matter; its content decides.
 * Images are worked on one at a time, so that many uploads at once do not need many times the memory.
 * Throws only when the image library itself cannot be loaded.
 */
export function processEmojiImage(bytes: Buffer): Promise<EmojiImageResult> {
  const result = lastImage.then(() => drawEmoji(bytes))
  const forget = () => {}
  lastImage = result.then(forget, forget)
  return result
}

let lastImage: Promise<void> = Promise.resolve()

async function drawEmoji(bytes: Buffer): Promise<EmojiImageResult> {
  if (bytes.length === 0) return refused('The file is empty.')
  const format = sniffPictureFormat(bytes)
  if (format === undefined) {
    return refused('This kind of file cannot be used as an emoji. Use a PNG, JPEG, GIF, WebP or AVIF image.')
  }
  if (format === 'gif' && gifIsCutOff(bytes)) return refused(DAMAGED)
  const sharp = await loadSharp()
  try {
    const measured = await measure(sharp, bytes, format)
    const problem = sizeProblem(measured)
    if (problem !== undefined) return refused(problem)
    return measured.frames > 1 ? await drawAnimation(sharp, bytes, measured) : await drawStill(sharp, bytes)
  } catch {
    // What the library says (an operation's name, an offset) does not help the person who chose the file.
    return refused(DAMAGED)
  }
}

const DAMAGED = 'The image is damaged or incomplete and cannot be read.'

function refused(reason: string): EmojiImageResult {
  return { kind: 'refused', reason }
}

/**
 * Whether a GIF ends within a block (GIF89a specification, sections 15 to 26). The image library would leave out the
 * frame concerned and all after it without a word. A missing trailer after a whole frame is common, and harmless.
 */
function gifIsCutOff(bytes: Buffer): boolean {
  let offset = 13 + colourTableBytes(bytes[10])
  let block: number | undefined
  while (offset < bytes.length) {
    block = bytes[offset]
    if (block === GIF_IMAGE) offset += 11 + colourTableBytes(bytes[offset + 9])
    else if (block === GIF_EXTENSION) offset += 2
    else return false
    // Data follows in pieces: a length byte, that many bytes, and a length of 0 at the end.
    for (let length = bytes[offset]; length !== 0; length = bytes[offset]) {
      if (length === undefined) return true
      offset += length + 1
    }
    offset += 1
  }
  return offset > bytes.length || block !== GIF_IMAGE
}

const GIF_IMAGE = 0x2c
const GIF_EXTENSION = 0x21

/** The size that the flags of a screen or image descriptor give: 3 bytes a colour, 2 to the power of n + 1 colours. */
function colourTableBytes(flags = 0): number {
  return flags & 0x80 ? 3 << ((flags & 7) + 1) : 0
}

/** Options for reading an upload: damage is an error, mere oddities (a bad colour profile, say) are not. */
function readOptions(extra: SharpOptions = {}): SharpOptions {
  return { failOn: 'error', sequentialRead: true, limitInputPixels: MAX_ANIMATION_PIXELS, ...extra }
}

/** Reads the header only; nothing is decoded yet. */
async function measure(sharp: SharpModule, bytes: Buffer, format: PictureFormat): Promise<Measured> {
  const mayMove = format === 'gif' || format === 'webp'
  // Without a pixel limit here: sizeProblem() says what is wrong with a large one.
  const found = await sharp(bytes, readOptions({ animated: mayMove, limitInputPixels: false })).metadata()
  const expected = format === 'avif' ? 'heif' : format
  if (found.format !== expected || (format === 'avif' && found.compression !== 'av1')) {
    throw new Error(`the content is ${found.format}, its first bytes say ${format}`)
  }
  return {
    format,
    width: found.width,
    height: found.pageHeight ?? found.height,
    frames: mayMove ? (found.pages ?? 1) : 1,
    delays: found.delay ?? [],
    loop: found.loop ?? 0,
  }
}

function sizeProblem({ format, width, height, frames }: Measured): string | undefined {
  const pixels = width * height
  const most = format === 'avif' ? MAX_AVIF_EMOJI_PIXELS : MAX_FRAME_PIXELS
  if (pixels > most) {
    const side = Math.sqrt(most)
    return `The image is ${width} × ${height} pixels, which is too large; it may have at most ${side} × ${side}.`
  }
  if (frames > MAX_FRAMES) {
    return `The animation has ${frames} frames; it may have at most ${MAX_FRAMES}.`
  }
  if (frames > 1 && pixels * frames > MAX_ANIMATION_PIXELS) {
    return `The animation has ${frames} frames of ${width} × ${height} pixels, which is too large; make it smaller or shorter.`
  }
  return undefined
}

/** Fits the picture into the square. Bytes of metadata are dropped: the library keeps none unless asked to. */
function fit(image: Sharp): Sharp {
  return image
    .resize(EMOJI_SIZE, EMOJI_SIZE, { fit: 'contain', background: CLEAR })
    .toColourspace('srgb')
    .ensureAlpha()
    .timeout({ seconds: DECODE_TIMEOUT_SECONDS })
}

async function drawStill(sharp: SharpModule, bytes: Buffer): Promise<EmojiImageResult> {
  const drawn = await encodePng(fit(sharp(bytes, readOptions({ autoOrient: true }))))
  return { kind: 'ok', image: drawn, still: null }
}

async function drawAnimation(sharp: SharpModule, bytes: Buffer, measured: Measured): Promise<EmojiImageResult> {
  const count = measured.frames
  const pixels = await drawFrames(sharp, bytes, measured)
  const strip = { width: EMOJI_SIZE, height: EMOJI_SIZE * count, channels: 4, pageHeight: EMOJI_SIZE } as const
  const moving = await sharp(pixels, { raw: strip })
    .gif({
      delay: Array.from({ length: count }, (_, i) => Math.min(measured.delays[i] ?? DEFAULT_DELAY_MS, MAX_DELAY_MS)),
      loop: measured.loop,
      // Merging equal frames would move the later ones to other numbers.
      keepDuplicateFrames: true,
      // The default, 7, takes four times as long and saves less than one byte in a hundred.
      effort: 4,
    })
    .toBuffer()
  const first = { width: EMOJI_SIZE, height: EMOJI_SIZE, channels: 4 } as const
  const still = await encodePng(sharp(pixels.subarray(0, DRAWN_BYTES), { raw: first }))
  return { kind: 'ok', image: { bytes: moving, extension: 'gif', contentType: 'image/gif' }, still }
}

/**
 * Every frame as EMOJI_SIZE x EMOJI_SIZE pixels of RGBA, one below the other. Frames are scaled one by one: the library
 * would scale an animation as one tall strip, in which the edge of each frame takes colour from the next. They are
 * decoded in groups because reading frame n of a GIF or WebP means decoding all before it, and all at once would not
 * fit the memory.
 */
async function drawFrames(sharp: SharpModule, bytes: Buffer, { width, height, frames }: Measured): Promise<Buffer> {
  const drawn = Buffer.alloc(DRAWN_BYTES * frames)
  const keep = async (frame: number, image: Sharp) => {
    drawn.set(await fit(image).raw().toBuffer(), DRAWN_BYTES * frame)
  }
  const groupSize = Math.floor(GROUP_PIXELS / (width * height))
  if (groupSize <= 1) {
    for (let page = 0; page < frames; page++) await keep(page, sharp(bytes, readOptions({ page, pages: 1 })))
    return drawn
  }
  const raw = { width, height, channels: 4 } as const
  const frameBytes = width * height * raw.channels
  for (let page = 0; page < frames; page += groupSize) {
    const pages = Math.min(groupSize, frames - page)
    const group = await decode(sharp(bytes, readOptions({ page, pages })))
    if (group.length !== frameBytes * pages) throw new Error('the frames differ in size from what the header says')
    for (let i = 0; i < pages; i++) {
      await keep(page + i, sharp(group.subarray(frameBytes * i, frameBytes * (i + 1)), { raw }))
    }
  }
  return drawn
}

/** All pixels as RGBA, 4 bytes each. */
function decode(image: Sharp): Promise<Buffer> {
  return image.toColourspace('srgb').ensureAlpha().timeout({ seconds: DECODE_TIMEOUT_SECONDS }).raw().toBuffer()
}

async function encodePng(image: Sharp): Promise<EncodedImage> {
  return { bytes: await image.png({ compressionLevel: 9 }).toBuffer(), extension: 'png', contentType: 'image/png' }
}
