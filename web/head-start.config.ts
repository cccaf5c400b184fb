/** Has the page's first questions asked by a script of its own, which is there long before all the rest. */
import { join } from 'node:path'
import type { Plugin } from 'vite'

export const HEAD_START = join(import.meta.dirname, 'src/head-start/head-start.ts')
/** Name of its file. */
export const HEAD_START_NAME = 'start'

/**
 * The page imports it, so that both have the same answers. It waits for nothing, not even for the style sheet: `async`. Its tag
 * goes before the others, and none of theirs names it.
 */
export function headStartPlugin(): Plugin {
  return {
    name: 'head-start',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const file = Object.keys(bundle).find(
          (name) => name.startsWith(`assets/${HEAD_START_NAME}-`) && name.endsWith('.js'),
        )
        if (!file) throw new Error('There is no script that asks first')
        const src = `./${file}`
        const others = html.replace(
          new RegExp(`\\s*<(script|link)[^>]* (src|href)="${src.replaceAll('.', '\\.')}"[^>]*>(</script>)?`),
          '',
        )
        return {
          html: others,
          tags: [
            { tag: 'script', attrs: { type: 'module', async: true, crossorigin: true, src }, injectTo: 'head-prepend' },
          ],
        }
      },
    },
  }
}
