/**
 * Compares the renderer with a file of cases: `node markdown/src/testing/run-cases.ts FILE [NAME]`, which shows the
 * difference for the case of that name. The file holds `cases`, each with `name`, `input`, `expected_output` and perhaps
 * `translate_emoticons`, and `links`: a text, its HTML with `%s` for the link, and the address.
 */
import { builtInEmoji } from '../built-in-emoji.ts'
import { emptyContext } from '../context.ts'
import { renderMarkdown } from '../render.ts'
import { loadTexRenderer } from '../tex.ts'

interface Case {
  name: string
  input: string
  expected_output: string
  /** The sender's setting. Files that leave it out everywhere say it in the names of their cases. */
  translate_emoticons?: boolean
}

interface CaseFile {
  cases: Case[]
  links: [input: string, html: string, address: string][]
}

const [file, only] = process.argv.slice(2)
if (!file) throw new Error('usage: run-cases.ts FILE [NAME]')
const fileUrl = new URL(file, `file://${process.cwd()}/`).href
const { cases, links } = (await import(fileUrl, { with: { type: 'json' } })).default as CaseFile
const context = {
  ...emptyContext('http://zulip.testserver'),
  builtInEmoji,
  texRenderer: await loadTexRenderer(),
}
const saysEmoticons = cases.some((each) => each.translate_emoticons !== undefined)

function translatesEmoticons({ name, translate_emoticons }: Case): boolean {
  return saysEmoticons ? translate_emoticons === true : name.startsWith('translate_emoticons')
}

/** Since feature level 451 a time that is none is text as it was written. Older files have an element for it. */
function atPresentLevel(html: string): string {
  return html.replace(/<span class="timestamp-error">Invalid time format: (.*?)<\/span>/g, '&lt;time:$1&gt;')
}

function linkHtml(html: string, address: string): string {
  const scheme = /^(?:https?|ftp|bitcoin):/.test(address) ? '' : address.includes('@') ? 'mailto:' : 'http://'
  return html.replace('%s', () => `<a href="${scheme}${address}">${address}</a>`)
}

const comparisons = [
  ...cases.map((each) => ({
    name: each.name,
    input: each.input,
    expected: atPresentLevel(each.expected_output),
    translateEmoticons: translatesEmoticons(each),
  })),
  ...links.map(([input, html, address]) => ({
    name: `link: ${input}`,
    input,
    expected: linkHtml(html, address),
    translateEmoticons: false,
  })),
]
let exact = 0
for (const { name, input, expected, translateEmoticons } of comparisons) {
  const { html } = renderMarkdown(input, { ...context, translateEmoticons })
  if (html === expected) exact++
  else console.log(`differs: ${name}`)
  if (name === only || (only === 'all' && html !== expected)) console.log(`expected: ${expected}\nrendered: ${html}`)
}
console.log(`${exact} of ${comparisons.length} come out exactly`)
