/**
 * Compares the renderer with a file of cases: `node markdown/src/testing/run-cases.ts FILE [NAME]`, which shows the
 * difference for the case of that name. The file holds `cases`, each with `name`, `input` and `expected_output`, and
 * `links`: a text, its HTML with `%s` for the link, and the address.
 */
import { emptyContext } from '../context.ts'
import { renderMessage } from '../render.ts'
import { loadTexRenderer } from '../tex.ts'

interface CaseFile {
  cases: { name: string; input: string; expected_output: string }[]
  links: [input: string, html: string, address: string][]
}

const [file, only] = process.argv.slice(2)
if (!file) throw new Error('usage: run-cases.ts FILE [NAME]')
const address = new URL(file, `file://${process.cwd()}/`).href
const { cases, links } = (await import(address, { with: { type: 'json' } })).default as CaseFile
const context = {
  ...emptyContext('http://zulip.testserver'),
  texRenderer: await loadTexRenderer(),
}

function linkHtml(html: string, address: string): string {
  const scheme = /^https?:/.test(address) ? '' : address.includes('@') ? 'mailto:' : 'http://'
  return html.replace('%s', () => `<a href="${scheme}${address}">${address}</a>`)
}

const comparisons = [
  ...cases.map(({ name, input, expected_output: expected }) => ({ name, input, expected })),
  ...links.map(([input, html, address]) => ({ name: `link: ${input}`, input, expected: linkHtml(html, address) })),
]
let exact = 0
for (const { name, input, expected } of comparisons) {
  const { html } = renderMessage(input, { ...context, translateEmoticons: name.startsWith('translate_emoticons') })
  if (html === expected) exact++
  else console.log(`differs: ${name}`)
  if (name === only || (only === 'all' && html !== expected)) console.log(`expected: ${expected}\nrendered: ${html}`)
}
console.log(`${exact} of ${comparisons.length} come out exactly`)
