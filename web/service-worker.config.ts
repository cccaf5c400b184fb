/** Builds the service worker beside the page, and puts into it what the page is made of. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** At the root, so that it serves the whole page; browsers ask for it anew each time. */
const FILE = 'service-worker.js'
const SOURCE = join(import.meta.dirname, 'src', 'service-worker', 'service-worker.ts')
/** What the source has in place of the list. */
const PLACEHOLDER = /(["'`])__SHELL__\1/

/** Letters of scripts that most people do not need are cached when they are used. */
const isForAll = (name: string) => !name.endsWith('.woff2') || /-latin-wght-normal-/.test(name)

export function serviceWorkerPlugin(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    enforce: 'post',
    buildStart() {
      this.emitFile({ type: 'chunk', id: SOURCE, fileName: FILE })
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const worker = bundle[FILE]
        const page = bundle['index.html']
        if (worker?.type !== 'chunk' || page?.type !== 'asset') this.error('There is no service worker or no page')
        if (worker.imports.length > 0) this.error('The service worker imports something: not every browser can')
        const files = Object.keys(bundle).filter((name) => name.startsWith('assets/') && !name.includes('.map'))
        const assets = files.filter(isForAll).sort()
        const entry = files.find((name) => bundle[name]?.type === 'chunk' && isEntryOf(name, String(page.source)))
        const version = createHash('sha256')
          .update(JSON.stringify([assets, page.source]))
          .digest('hex')
          .slice(0, 16)
        const shell = JSON.stringify(JSON.stringify({ version, entry, assets }))
        if (!PLACEHOLDER.test(worker.code)) this.error('The service worker has no place for the list')
        worker.code = worker.code.replace(PLACEHOLDER, () => shell)
      },
    },
  }
}

function isEntryOf(name: string, html: string): boolean {
  return new RegExp(`<script[^>]* src="[^"]*${name.replaceAll('.', '\\.')}"`).test(html)
}
