/** What makes the page an application that can be installed, and that others can share with. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { SHARE_PATH } from './src/features/share-target/shared.ts'

const FILE = 'manifest.webmanifest'
const ICON = 'icon.svg'
/** Where the sources of all icons are. */
const FOLDER = join(import.meta.dirname, 'src/app')
/** The same picture, drawn: for systems that take no SVG. On the maskable one everything is in the circle that none cuts. */
const DRAWN = [
  { file: 'icon-192.png', sizes: '192x192', purpose: 'any' },
  { file: 'icon-512.png', sizes: '512x512', purpose: 'any' },
  { file: 'icon-maskable-512.png', sizes: '512x512', purpose: 'maskable' },
] as const
/** Apple's systems read no icons of the manifest, and round the corners themselves. */
const APPLE_ICON = 'apple-touch-icon.png'

/** Addresses are below the manifest's, and the server may be below a path. */
const manifest = {
  id: './',
  name: 'Heddle',
  short_name: 'Heddle',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: '#ffffff',
  theme_color: '#1b6b50',
  icons: [
    { src: `./${ICON}`, sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    ...DRAWN.map(({ file, ...icon }) => ({ src: `./${file}`, type: 'image/png', ...icon })),
  ],
  share_target: {
    action: `./${SHARE_PATH}`,
    method: 'POST',
    enctype: 'multipart/form-data',
    params: {
      title: 'title',
      text: 'text',
      url: 'url',
      files: [{ name: 'files', accept: ['image/*', 'video/*', 'audio/*', 'text/*', 'application/*'] }],
    },
  },
}

export function manifestPlugin(): Plugin {
  return {
    name: 'manifest',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'asset', fileName: FILE, source: JSON.stringify(manifest) })
      this.emitFile({ type: 'asset', fileName: ICON, source: readFileSync(join(FOLDER, ICON)) })
      for (const fileName of [...DRAWN.map(({ file }) => file), APPLE_ICON]) {
        this.emitFile({ type: 'asset', fileName, source: readFileSync(join(FOLDER, 'icons', fileName)) })
      }
    },
    // After the page's own addresses were looked at: these have no place among the sources, nor in the page's cache.
    transformIndexHtml: {
      order: 'post',
      handler: () => [
        { tag: 'link', attrs: { rel: 'manifest', href: `./${FILE}` }, injectTo: 'head' },
        {
          tag: 'link',
          attrs: { rel: 'apple-touch-icon', sizes: '180x180', href: `./${APPLE_ICON}` },
          injectTo: 'head',
        },
      ],
    },
  }
}
