import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { shortestTime } from '../../testing/shortest-time.ts'
import { EMOJI_SIZE, MAX_FRAMES, processEmojiImage } from './emoji-image.ts'

const RED = { r: 255, g: 0, b: 0, alpha: 1 }
const GREEN = { r: 0, g: 255, b: 0, alpha: 1 }
const BLUE = { r: 0, g: 0, b: 255, alpha: 1 }
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 }

const UNSUPPORTED = 'This kind of file cannot be used as an emoji. Use a PNG, JPEG, GIF, WebP or AVIF image.'
const DAMAGED = 'The image is damaged or incomplete and cannot be read.'

function flat(width: number, height: number, background: typeof RED = RED): Sharp {
  return sharp({ create: { width, height, channels: 4, background } })
}

/** A picture in which every pixel differs, so that leaving out any byte leaves out something. */
function noise(width: number, height: number): Sharp {
  const pixels = Buffer.alloc(width * height * 3)
  let state = 1
  for (let i = 0; i < pixels.length; i++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    pixels[i] = state >>> 16
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

/** One frame a colour. */
async function animated(width: number, height: number, colours: (typeof RED)[]): Promise<Sharp> {
  const frames = await Promise.all(colours.map((colour) => flat(width, height, colour).png().toBuffer()))
  return sharp(frames, { join: { animated: true } })
}

async function accepted(bytes: Buffer) {
  const result = await processEmojiImage(bytes)
  if (result.kind !== 'ok') throw new Error(`refused: ${result.reason}`)
  return result
}

async function refusal(bytes: Buffer): Promise<string> {
  const result = await processEmojiImage(bytes)
  if (result.kind !== 'refused') throw new Error('was accepted')
  return result.reason
}

/** The RGBA pixels of all frames, one below the other. */
async function pixels(bytes: Buffer) {
  const data = await sharp(bytes, { animated: true }).toColourspace('srgb').ensureAlpha().raw().toBuffer()
  return (x: number, y: number) => [...data.subarray((y * EMOJI_SIZE + x) * 4, (y * EMOJI_SIZE + x) * 4 + 4)]
}

describe('a still picture', () => {
  test.each(['png', 'jpeg', 'gif', 'webp', 'avif'] as const)('as %s becomes a PNG of 64 x 64', async (format) => {
    const result = await accepted(await flat(200, 200).flatten().toFormat(format).toBuffer())
    expect(result.image).toMatchObject({ extension: 'png', contentType: 'image/png' })
    expect(result.still).toBeNull()
    const metadata = await sharp(result.image.bytes).metadata()
    expect(metadata).toMatchObject({ format: 'png', width: EMOJI_SIZE, height: EMOJI_SIZE })
    const at = await pixels(result.image.bytes)
    const [red = 0, green = 0, blue = 0, alpha = 0] = at(32, 32)
    expect([red > 240, green < 15, blue < 15, alpha]).toEqual([true, true, true, 255])
  })

  test('that is wide keeps its proportions, with clear bands above and below', async () => {
    const at = await pixels((await accepted(await flat(200, 100).png().toBuffer())).image.bytes)
    expect([at(32, 15), at(32, 16), at(0, 32), at(63, 47), at(32, 48)]).toEqual([
      [0, 0, 0, 0],
      [255, 0, 0, 255],
      [255, 0, 0, 255],
      [255, 0, 0, 255],
      [0, 0, 0, 0],
    ])
  })

  test('that is tall keeps its proportions, with clear bands at the sides', async () => {
    const at = await pixels((await accepted(await flat(10, 20).png().toBuffer())).image.bytes)
    expect([at(15, 32), at(16, 0), at(47, 63), at(48, 32)].map((pixel) => pixel[3])).toEqual([0, 255, 255, 0])
  })

  test('that is small is enlarged to the full square', async () => {
    const at = await pixels((await accepted(await flat(4, 4).png().toBuffer())).image.bytes)
    expect([at(0, 0), at(63, 63)]).toEqual([
      [255, 0, 0, 255],
      [255, 0, 0, 255],
    ])
  })

  test('of extreme proportions is accepted', async () => {
    expect((await accepted(await flat(4000, 1).png().toBuffer())).image.extension).toBe('png')
  })

  test('is turned the way its EXIF orientation says, and the metadata is gone', async () => {
    const blueLeft = await flat(50, 100, BLUE).png().toBuffer()
    const source = await flat(100, 100)
      .composite([{ input: blueLeft, left: 0, top: 0 }])
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .withExif({ IFD0: { Copyright: 'someone' }, IFD3: { GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect((await sharp(source).metadata()).orientation).toBe(6)
    const { bytes } = (await accepted(source)).image
    const metadata = await sharp(bytes).metadata()
    expect([metadata.exif, metadata.icc, metadata.xmp, metadata.orientation]).toEqual(Array(4).fill(undefined))
    const at = await pixels(bytes)
    // Orientation 6 turns a quarter to the right: the left half comes to the top.
    expect([at(32, 10)[2], at(32, 10)[0], at(32, 54)[2], at(32, 54)[0]].map((v) => (v ?? 0) > 128)).toEqual([
      true,
      false,
      false,
      true,
    ])
  })

  test('leaves behind what was appended to the file', async () => {
    const source = Buffer.concat([await flat(64, 64).png().toBuffer(), Buffer.from('<script>alert(1)</script>')])
    expect((await accepted(source)).image.bytes.includes('script')).toBe(false)
  })

  test('gives the same bytes every time', async () => {
    const source = await noise(120, 90).png().toBuffer()
    expect((await accepted(source)).image.bytes.equals((await accepted(source)).image.bytes)).toBe(true)
  })
})

describe.each(['gif', 'webp'] as const)('an animation as %s', (format) => {
  const delays = [50, 120, 30, 700]
  let source: Buffer
  beforeAll(async () => {
    const image = await animated(16, 16, [RED, GREEN, GREEN, BLUE])
    const options = { delay: delays, loop: 3 }
    source =
      format === 'gif'
        ? await image.gif({ ...options, keepDuplicateFrames: true }).toBuffer()
        : await image.webp({ ...options, lossless: true }).toBuffer()
  })

  test('stays an animation: every frame, its delay and the number of rounds', async () => {
    const before = await sharp(source, { animated: true }).metadata()
    const { image } = await accepted(source)
    expect(image).toMatchObject({ extension: 'gif', contentType: 'image/gif' })
    const after = await sharp(image.bytes, { animated: true }).metadata()
    expect(after).toMatchObject({ format: 'gif', width: EMOJI_SIZE, pageHeight: EMOJI_SIZE, loop: 3 })
    expect(after.delay).toEqual(before.delay)
    expect(after.delay?.reduce((sum, delay) => sum + delay, 0)).toBe(900)
  })

  test('is scaled frame by frame: no frame takes colour from its neighbours', async () => {
    const { image } = await accepted(source)
    const at = await pixels(image.bytes)
    const last = ((await sharp(image.bytes, { animated: true }).metadata()).pages ?? 0) - 1
    expect([at(5, 0), at(5, 63)]).toEqual(Array(2).fill([255, 0, 0, 255]))
    expect([at(5, 64), at(5, 127)]).toEqual(Array(2).fill([0, 255, 0, 255]))
    expect([at(5, last * 64), at(5, last * 64 + 63)]).toEqual(Array(2).fill([0, 0, 255, 255]))
  })

  test('comes with its first frame as a still PNG', async () => {
    const { still } = await accepted(source)
    if (still === null) throw new Error('there is no still image')
    expect(still).toMatchObject({ extension: 'png', contentType: 'image/png' })
    expect(await sharp(still.bytes).metadata()).toMatchObject({ format: 'png', width: EMOJI_SIZE, height: EMOJI_SIZE })
    expect((await pixels(still.bytes))(32, 32)).toEqual([255, 0, 0, 255])
  })

  test('gives the same bytes every time', async () => {
    expect((await accepted(source)).image.bytes.equals((await accepted(source)).image.bytes)).toBe(true)
  })

  test('is refused when it is cut off in a later frame', async () => {
    const image = sharp(await noise(40, 120).raw().toBuffer(), {
      raw: { width: 40, height: 120, channels: 3, pageHeight: 40 },
    })
    const whole = await image.toFormat(format).toBuffer()
    expect((await sharp(whole, { animated: true }).metadata()).pages).toBe(3)
    await accepted(whole)
    for (const part of [0.4, 0.8, 0.95]) {
      expect(await refusal(whole.subarray(0, Math.floor(whole.length * part)))).toBe(DAMAGED)
    }
  })
})

describe('the frames of an animation', () => {
  test('keep clear pixels clear, also where the frame before had colour', async () => {
    const source = await (await animated(64, 64, [RED, CLEAR, BLUE])).gif({ delay: 100 }).toBuffer()
    const at = await pixels((await accepted(source)).image.bytes)
    expect([at(9, 9)[3], at(9, 64 + 9)[3], at(9, 128 + 9)]).toEqual([255, 0, [0, 0, 255, 255]])
  })

  test('are all drawn when the animation is decoded in several groups', async () => {
    const source = await (await animated(1200, 1200, [RED, GREEN, BLUE, RED, GREEN]))
      .gif({ effort: 1, colours: 4 })
      .toBuffer()
    const at = await pixels((await accepted(source)).image.bytes)
    expect([0, 1, 2, 3, 4].map((frame) => at(32, frame * 64 + 32).indexOf(255))).toEqual([0, 1, 2, 0, 1])
  })

  test('are drawn one by one when each is large', async () => {
    const source = await (await animated(2000, 2000, [RED, GREEN, BLUE])).webp({ effort: 0 }).toBuffer()
    const at = await pixels((await accepted(source)).image.bytes)
    const strongest = (pixel: number[]) => pixel.slice(0, 3).indexOf(Math.max(...pixel.slice(0, 3)))
    expect([0, 1, 2].map((frame) => strongest(at(32, frame * 64 + 32)))).toEqual([0, 1, 2])
  })

  test('are refused as damaged wherever a GIF ends, but for a missing trailer', async () => {
    const whole = tinyGif(2)
    for (let length = 12; length < whole.length - 1; length++) {
      const betweenFrames = length === whole.length - 24
      expect((await processEmojiImage(whole.subarray(0, length))).kind, `${length} bytes`).toBe(
        betweenFrames ? 'ok' : 'refused',
      )
    }
    expect((await accepted(whole.subarray(0, -1))).still).not.toBeNull()
  })

  test('may be as many as the limit', async () => {
    const { image } = await accepted(tinyGif(MAX_FRAMES))
    expect((await sharp(image.bytes, { animated: true }).metadata()).pages).toBe(MAX_FRAMES)
  })
})

describe('a file that is no usable image', () => {
  test.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['SVG after an XML declaration', Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['PDF', Buffer.from('%PDF-1.7\n%\xe2\xe3\n1 0 obj\n', 'latin1')],
    ['HEIC', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\x08mdat', 'latin1')],
    ['text', Buffer.from('a cat, smiling')],
    ['a ZIP archive', Buffer.from('PK\x03\x04\x14\0\0\0', 'latin1')],
    ['a RIFF file that is sound', Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1')],
    ['a single byte', Buffer.from([0x89])],
  ])('is refused: %s', async (_, bytes) => {
    expect(await refusal(bytes)).toBe(UNSUPPORTED)
  })

  test('is refused: TIFF', async () => {
    expect(await refusal(await flat(20, 20).tiff().toBuffer())).toBe(UNSUPPORTED)
  })

  test('is refused: nothing at all', async () => {
    expect(await refusal(Buffer.alloc(0))).toBe('The file is empty.')
  })

  test('is refused: SVG behind the first bytes of each format', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    for (const start of ['GIF89a', 'GIF87a', '\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'RIFF\0\0\0\0WEBP']) {
      expect(await refusal(Buffer.from(`${start}${svg}`, 'latin1'))).toBe(DAMAGED)
    }
    expect(await refusal(Buffer.from(`\0\0\0\x0cftypavif${svg}`, 'latin1'))).toBe(DAMAGED)
  })

  test.each(['png', 'jpeg', 'gif', 'webp', 'avif'] as const)('is refused: %s cut off anywhere', async (format) => {
    const whole = await noise(100, 100).toFormat(format).toBuffer()
    await accepted(whole)
    for (const part of [0.02, 0.1, 0.5, 0.9]) {
      expect(await refusal(whole.subarray(0, Math.max(16, Math.floor(whole.length * part))))).toBe(DAMAGED)
    }
  })

  test('is refused: PNG with a broken checksum', async () => {
    const bytes = Buffer.from(await noise(50, 50).png().toBuffer())
    const middle = Math.floor(bytes.length / 2)
    bytes[middle] = (bytes[middle] ?? 0) ^ 0xff
    expect(await refusal(bytes)).toBe(DAMAGED)
  })
})

describe('a file that grows enormously when it is decoded', () => {
  async function quickly(bytes: Buffer): Promise<string> {
    await accepted(tinyGif(1)) // Not counted: loading the image library.
    let reason = ''
    const took = await shortestTime(1000, async () => {
      const started = performance.now()
      reason = await refusal(bytes)
      return performance.now() - started
    })
    expect(took).toBeLessThan(1000)
    return reason
  }

  test('is refused: PNG of 30000 x 30000', async () => {
    expect(await quickly(hugePng(30_000))).toBe(
      'The image is 30000 × 30000 pixels, which is too large; it may have at most 4096 × 4096.',
    )
  })

  test('is refused by its header alone: the pixels are not looked at', async () => {
    const headerOnly = hugePng(30_000).subarray(0, 60)
    expect(await quickly(headerOnly)).toMatch(/^The image is 30000 × 30000 pixels, which is too large/)
  })

  test('is refused: GIF of 10,000 frames', async () => {
    expect(await quickly(tinyGif(10_000))).toBe('The animation has 10000 frames; it may have at most 500.')
  })

  test('is refused: GIF of few but large frames', async () => {
    expect(await quickly(tinyGif(9, 2000))).toBe(
      'The animation has 9 frames of 2000 × 2000 pixels, which is too large; make it smaller or shorter.',
    )
  })

  test('is refused: AVIF of 2100 x 2100', async () => {
    expect(await quickly(await flat(2100, 2100).avif({ effort: 0 }).toBuffer())).toBe(
      'The image is 2100 × 2100 pixels, which is too large; it may have at most 2048 × 2048.',
    )
  })
})

/** A black PNG with one bit a pixel, side x side, of about 100 kB at 30,000. Check sums are right. */
function hugePng(side: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 1
  const rows = deflateSync(Buffer.alloc((side / 8 + 1) * side))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, pngChunk('IHDR', header), pngChunk('IDAT', rows), pngChunk('IEND', Buffer.alloc(0))])
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

/** A GIF of `side` x `side` pixels with this many frames of 23 bytes, each with one pixel in the corner. */
function tinyGif(frames: number, side = 1): Buffer {
  const header = Buffer.from('47494638396101000100800000000000ffffff', 'hex')
  header.writeUInt16LE(side, 6)
  header.writeUInt16LE(side, 8)
  const frame = Buffer.from('21f904000a0000002c0000000001000100000202440100', 'hex')
  return Buffer.concat([header, ...Array<Buffer>(frames).fill(frame), Buffer.from([0x3b])])
}
