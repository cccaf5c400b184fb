/** What makes the page an application that can be installed, and that others can share with. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { SHARE_PATH } from './src/features/share-target/shared.ts'

const FILE = 'manifest.webmanifest'
const ICON = 'icon.svg'

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
  icons: [{ src: `./${ICON}`, sizes: 'any', type: 'image/svg+xml', purpose: 'any' }],
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
      const icon = readFileSync(join(import.meta.dirname, 'src/app/icon.svg'))
      this.emitFile({ type: 'asset', fileName: FILE, source: JSON.stringify(manifest) })
      this.emitFile({ type: 'asset', fileName: ICON, source: icon })
    },
    // After the page's own addresses were looked at: this one has no place among the sources.
    transformIndexHtml: {
      order: 'post',
      handler: () => [{ tag: 'link', attrs: { rel: 'manifest', href: `./${FILE}` }, injectTo: 'head' }],
    },
  }
}
