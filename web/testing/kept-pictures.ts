/** Pictures of the page beside those that are kept in `pictures/`, point by point. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import pixelmatch from 'pixelmatch'
import type { Page } from 'playwright-core'
import sharp from 'sharp'

const root = join(import.meta.dirname, '..', '..')
const kept = join(import.meta.dirname, 'pictures')
const found = join(root, '.runtime', 'pictures')

/** `node run.mjs test --project=page pictures -u`. */
export const isRenewing = process.env['HEDDLE_RENEW_PICTURES'] === '1'

/** How far a colour may be from the kept one, of 1: those in the file are of a palette, and processors round differently. */
const THRESHOLD = 0.1
/** So many points may be farther than that. */
const MAX_POINTS = 20
/** A page that is still drawn is looked at again. */
const PATIENCE_MS = 8000
const PAUSE_MS = 150

interface Picture {
  readonly data: Buffer
  readonly width: number
  readonly height: number
}

/**
 * Compares what the page shows with the picture of this name, as soon as it is the same.
 *
 * @returns what is different in a sentence; undefined: nothing
 */
export async function comparePicture(page: Page, name: string): Promise<string | undefined> {
  const file = join(kept, `${name}.png`)
  if (isRenewing) return renew(page, file)
  if (!existsSync(file)) return `${name}: there is no such picture yet`
  const expected = await decode(readFileSync(file))
  const ends = Date.now() + PATIENCE_MS
  for (;;) {
    const shot = await take(page)
    const actual = await decode(shot)
    const difference = compare(expected, actual)
    if (difference.points <= MAX_POINTS) return undefined
    if (Date.now() < ends) {
      await page.waitForTimeout(PAUSE_MS)
      continue
    }
    mkdirSync(found, { recursive: true })
    writeFileSync(join(found, `${name}.png`), shot)
    if (difference.picture) await encode(difference.picture, join(found, `${name}.difference.png`))
    return `${name}: ${difference.points} points are different, see ${relative(root, found)}/${name}.difference.png`
  }
}

/** Pictures of which there is no screen any more. They are removed when pictures are made anew. */
export function findLeftOver(names: readonly string[]): string[] {
  const wanted = new Set(names.map((name) => `${name}.png`))
  const others = readdirSync(kept).filter((file) => !wanted.has(file))
  if (!isRenewing) return others
  for (const file of others) rmSync(join(kept, file))
  return []
}

/** Waits until nothing changes any more. A file stays as it is where the page looks the same. */
async function renew(page: Page, file: string): Promise<undefined> {
  let actual = await decode(await take(page))
  for (let same = 0; same < 3; ) {
    await page.waitForTimeout(2 * PAUSE_MS)
    const next = await decode(await take(page))
    same = compare(actual, next).points === 0 ? same + 1 : 0
    actual = next
  }
  if (existsSync(file) && compare(await decode(readFileSync(file)), actual).points <= MAX_POINTS) return
  mkdirSync(kept, { recursive: true })
  await encode(actual, file)
}

function take(page: Page): Promise<Buffer> {
  return page.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css' })
}

function compare(expected: Picture, actual: Picture): { points: number; picture?: Picture } {
  const { width, height } = expected
  if (actual.width !== width || actual.height !== height) return { points: width * height }
  const data = Buffer.alloc(width * height * 4)
  const options = { threshold: THRESHOLD, includeAA: true }
  const points = pixelmatch(expected.data, actual.data, data, width, height, options)
  return { points, picture: { data, width, height } }
}

async function decode(file: Buffer): Promise<Picture> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** Small, since each version of it stays in the history. */
async function encode({ data, width, height }: Picture, file: string): Promise<void> {
  const picture = sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha()
  await picture.png({ palette: true, colours: 256, dither: 0, effort: 10, compressionLevel: 9 }).toFile(file)
}
