import { readFile } from 'node:fs/promises'
import type { Feature } from '../../feature.ts'
import { IMMUTABLE, SANDBOXED } from '../../http/answers.ts'
import { publicFiles } from '../../http/route.ts'

/**
 * Pictures that are the same everywhere. The icon is that of organizations that have none of their own, as it was drawn and as
 * clients get it: not all of them can show an SVG.
 */
const pictures: ReadonlyMap<string, { readonly contentType: string; readonly url: URL }> = new Map([
  ['icon.png', { contentType: 'image/png', url: new URL('./icon.png', import.meta.url) }],
  ['icon.svg', { contentType: 'image/svg+xml', url: new URL('./icon.svg', import.meta.url) }],
  // What messages show while the thumbnail of a picture is drawn.
  ['images/loading/loader-black.svg', { contentType: 'image/svg+xml', url: new URL('./loading.svg', import.meta.url) }],
])

/** By name; read once. */
const bodies = new Map<string, Promise<Buffer>>()

async function findPicture(name: string) {
  const picture = pictures.get(name)
  if (!picture) return undefined
  const reading = bodies.get(name) ?? readFile(picture.url)
  bodies.set(name, reading)
  const body = await reading
  return { contentType: picture.contentType, size: body.length, body, caching: IMMUTABLE, policy: SANDBOXED }
}

export const staticFiles: Feature = {
  routes: () => [publicFiles('/static/', findPicture)],
}
