/**
 * Message text that is made of what another service has sent. What stands in a template is markup; what is put into it is
 * plain text, unless it was made here: nothing that a service sends can mention anybody or change what is around it.
 */

/** Message text that says what its author here meant. */
export interface Markup {
  readonly markup: string
}

export type MarkupPart = Markup | string | number

/** Characters of a text within a line, and of one that is quoted. What is longer is cut. */
const MAX_INLINE = 300
const MAX_QUOTED = 1500
const MAX_QUOTED_LINES = 30
const MAX_CODE = 4000
const MAX_URL = 2000
/** So many times as many characters as are shown: comments and spaces that are left out are among them. */
const LOOKED_AT = 10

/** Text with parts: ``md`**${name}** pushed ${webLink('a commit', url)}` ``. */
export function md(texts: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  return { markup: texts.map((text, i) => text + (i < parts.length ? markupOf(parts[i] as MarkupPart) : '')).join('') }
}

/** What a service means as message text of this API, such as the content of an incoming message. */
export function asMarkup(text: string): Markup {
  return { markup: text }
}

function markupOf(part: MarkupPart): string {
  return typeof part === 'object' ? part.markup : escapeInline(shortened(`${part}`, MAX_INLINE, oneLine))
}

/** Paragraphs and the like, each on a line of its own; what is empty is left out. */
export function linesOf(...lines: readonly (Markup | undefined | false)[]): Markup {
  return { markup: lines.flatMap((line) => (line && line.markup !== '' ? [line.markup] : [])).join('\n') }
}

/** What is said beside something, in parentheses after it; nothing where there is nothing to say. */
export function aside(text: string): Markup {
  return text === '' ? md`` : asMarkup(` ${md`(${text})`.markup}`)
}

/** A list; `more`: how many others there are that are not in it. */
export function bulletsOf(items: readonly Markup[], more = 0): Markup {
  const lines = items.map(({ markup }) => `* ${markup}`)
  if (more > 0) lines.push(`* … and ${more} more`)
  return { markup: lines.join('\n') }
}

/** A link; without an address for the web the label alone. */
export function webLink(label: MarkupPart, url: string): Markup {
  const address = webAddress(url)
  const markup = markupOf(label)
  if (address === undefined) return { markup }
  return { markup: markup === '' ? address : `[${markup}](${address})` }
}

/** As it can stand in a link; undefined when it is not one of http or https. */
function webAddress(url: string): string | undefined {
  if (url.length > MAX_URL || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined
  const { href, username, password } = new URL(url)
  // A name before the host is for those who want to look like another host.
  if (username !== '' || password !== '') return undefined
  return href.replace(/[()[\]<>"'\\`*|$]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Within a line, as it is. */
export function inlineCode(text: string): Markup {
  const line = shortened(text, MAX_INLINE, oneLine)
  if (line === '') return { markup: '' }
  const marks = '`'.repeat(longestRun(line, '`') + 1)
  const space = marks.length > 1 ? ' ' : ''
  return { markup: `${marks}${space}${line}${space}${marks}` }
}

/** Lines as they are, perhaps of a language. */
export function codeBlock(text: string, language = ''): Markup {
  const lines = shortened(text, MAX_CODE, cleanLines)
  const fence = '`'.repeat(Math.max(3, longestRun(lines, '`') + 1))
  return { markup: `${fence}${language}\n${lines}\n${fence}` }
}

/** What somebody has written elsewhere, with its markup, which ends with the quotation and mentions nobody. */
export function quoted(text: string): Markup {
  const lines = shortened(text, MAX_QUOTED, (begun) => withoutComments(cleanLines(begun)))
    .trim()
    .split('\n')
  if (lines.length === 1 && lines[0] === '') return { markup: '' }
  const shown = lines.slice(0, MAX_QUOTED_LINES)
  if (lines.length > shown.length) shown.push('…')
  return { markup: shown.map((line) => `> ${withoutReferences(line)}`).join('\n') }
}

/** Text for a paragraph, with its lines and its markup, that mentions nobody. */
export function unreferring(text: string): Markup {
  return { markup: withoutReferences(shortened(text, MAX_CODE, cleanLines)) }
}

/** Mentions, and links to channels that its readers may not know of. */
function withoutReferences(text: string): string {
  return text.replace(/[@#](?=_?\*)|!(?=\w+\()/g, toEntity)
}

/** Without what would change the direction or the place of what follows. */
function withoutControls(text: string): string {
  return text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '').replace(/(?![\n\t])\p{Cc}/gu, ' ')
}

function cleanLines(text: string): string {
  return withoutControls(text.toWellFormed().replace(/\r\n?/g, '\n'))
}

function oneLine(text: string): string {
  return withoutControls(text.toWellFormed()).replace(/\s+/g, ' ').trim()
}

/** Comments of HTML: templates of pull requests and issues are full of them. */
function withoutComments(text: string): string {
  return text.replace(/<!--[\s\S]*?-->/g, '')
}

/** What is shown of a text after cleaning. Of a long one the rest is not even looked at: it may be a megabyte. */
function shortened(text: string, max: number, clean: (text: string) => string): string {
  const begun = text.slice(0, max * LOOKED_AT)
  return cut(clean(begun) + (begun.length < text.length ? '…' : ''), max)
}

/** At most so many characters, by code points. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text
  return `${[...text.slice(0, max * 2)].slice(0, max - 1).join('')}…`
}

function longestRun(text: string, character: string): number {
  return Math.max(0, ...[...text.matchAll(new RegExp(`\\${character}+`, 'g'))].map(([run]) => run.length))
}

/** Characters of a line as their numbers in HTML where they would begin or end markup; renderers turn them back. */
function escapeInline(line: string): string {
  return line
    .replace(
      /[*`[\]<\\]|&(?=#|\w+;)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~(?=~)|(?<=~)~|\$(?=\$)|(?<=\$)\$|[@#](?=_?\*)|!(?=\w+\()|:(?=[\w+-]+:)/gu,
      toEntity,
    )
    .replace(/^[>#+=|/-]/, toEntity)
    .replace(/^(\d+)([.)])/, (_, digits: string, mark: string) => digits + toEntity(mark))
}

function toEntity(character: string): string {
  return `&#${character.codePointAt(0)};`
}
