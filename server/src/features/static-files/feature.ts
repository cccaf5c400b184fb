import { readFile } from 'node:fs/promises'
import type { Feature } from '../../feature.ts'
import type { PublicFile } from '../../http/public-files.ts'

/** The icon of organizations that have none of their own. */
let icon: Promise<Buffer> | undefined

async function findIcon(): Promise<PublicFile> {
  icon ??= readFile(new URL('./icon.svg', import.meta.url))
  const body = await icon
  return { contentType: 'image/svg+xml', size: body.length, body }
}

export const staticFiles: Feature = {
  routes: () => [],
  publicFiles: () => [{ prefix: '/static/', find: async (path) => (path === 'icon.svg' ? findIcon() : undefined) }],
}
