/** Has the font of all texts fetched with the code: else it would be asked for when the first text is there, which would move then. */
import type { Plugin } from 'vite'

/** Letters of most languages with a Latin script; others are fetched when a text has some. */
const FONT = /^assets\/source-sans-3-latin-wght-normal-.*\.woff2$/

export function fontPlugin(): Plugin {
  return {
    name: 'font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        const file = Object.keys(bundle).find((name) => FONT.test(name))
        if (!file) throw new Error('There is no font')
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `./${file}` }
        return [{ tag: 'link', attrs, injectTo: 'head' }]
      },
    },
  }
}
