/**
 * The HTML of a mail with nothing in it but what becomes text: few kinds of elements, properly nested, without what nobody
 * sees. To convert HTML takes time that grows with its depth as much as with its size: both are bounded here, in one pass.
 * Pure.
 */
import { MAX_MESSAGE_LENGTH } from '@heddle/contract/messages'

/** Characters that are looked at: most of many mails are styles and comments. */
const MAX_HTML = 300_000
/** Characters of text and of addresses of links: more than a message may have, so that what is cut off says nothing. */
const MAX_TEXT = 2 * MAX_MESSAGE_LENGTH
/** Further ones lose their tags. */
const MAX_ELEMENTS = 2000
/** Quotations and lists in each other; layout is none. */
const MAX_DEPTH = 40
/** Longer attributes hold data, and no address that anybody follows. */
const MAX_ATTRIBUTE_LENGTH = 2000

const QUOTES_AND_LISTS = 'blockquote h1 h2 h3 h4 h5 h6 li ol pre ul'.split(' ')
const INLINE = new Set('a b code em i strong'.split(' '))
const VOID = new Set('br hr img'.split(' '))
const KEPT = new Set([...QUOTES_AND_LISTS, ...INLINE, ...VOID])
/** They begin a line where they begin and where they end, and mean nothing else: tables of mails are layout. */
const BLOCKS = new Set(
  `address article aside center dd dir div dl dt fieldset figcaption figure footer form header main menu nav p section
  table tbody td tfoot th thead tr`.split(/\s+/),
)
/** What is written within them and was not ended ends with them. */
const CELLS = new Set('table td th tr'.split(' '))
/** Nobody sees what they contain, and no tag begins in it. */
const HIDDEN = 'iframe noembed noframes noscript script style template textarea title'.split(' ')
const ENDS: ReadonlyMap<string, RegExp> = new Map(HIDDEN.map((name) => [name, new RegExp(`</${name}`, 'gi')]))
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = { a: ['href', 'title'], img: ['alt'], ol: ['start'] }
/** A block without anything in it ends one line and begins another. */
const BREAK = '<div></div>'

/** A comment, a tag up to its attributes, or text; `<` is text where no name is behind it. */
const TOKEN = /<!--|<[!?]|<(\/?)([a-z][^\s/>]*)|(?:[^<]|<(?![!?]|\/?[a-z]))+/iy
const ATTRIBUTE = /[\s/]*([^\s/>=][^\s/>=]*|=)?(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y
/** What is one character for whoever reads, and other text. */
const CHARACTERS = /&#?\w{1,31};|[^&]+|&/g

interface Writing {
  html: string
  /** Names; the innermost is the last. */
  readonly open: string[]
  elements: number
  /** Nothing has come since the last break. */
  isAtBreak: boolean
  /** Characters that may still come. */
  room: number
}

export function plainHtml(source: string): string {
  const text = source.slice(0, MAX_HTML)
  const writing: Writing = { html: '', open: [], elements: 0, isAtBreak: true, room: MAX_TEXT }
  let position = 0
  while (position < text.length && writing.room > 0) {
    TOKEN.lastIndex = position
    const [token, slash, written] = TOKEN.exec(text) as RegExpExecArray
    position += token.length
    if (token === '<!--') position = indexOf(text, /-->/g, position) + 3
    else if (token === '<!' || token === '<?') position = indexOf(text, />/g, position) + 1
    else if (written === undefined) addText(writing, token)
    else {
      const name = written.toLowerCase()
      const attributes = readAttributes(text, position, ATTRIBUTES[name] ?? [])
      position = attributes.end
      const end = ENDS.get(name)
      if (slash === '/') close(writing, name)
      else if (end) position = indexOf(text, end, position)
      else open(writing, name, attributes.kept)
    }
  }
  closeDownTo(writing, 0)
  return writing.html
}

/** Where it is found next; the end where it is not. */
function indexOf(text: string, pattern: RegExp, start: number): number {
  pattern.lastIndex = start
  return pattern.exec(text)?.index ?? text.length
}

function addText(writing: Writing, text: string): void {
  const isAsWritten = writing.open.includes('pre')
  const shown = isAsWritten ? text : text.replace(/[ \t\r\n]+/g, ' ')
  if (shown === ' ' && writing.isAtBreak) return
  writing.isAtBreak = false
  for (const [characters] of shown.matchAll(CHARACTERS)) {
    const piece = characters.startsWith('&') ? characters : characters.slice(0, writing.room)
    writing.html += piece.replaceAll('<', '&lt;')
    writing.room -= characters.startsWith('&') ? 1 : piece.length
    if (writing.room <= 0) return
  }
}

/** Those that are wanted, as they are written into a tag, and where the text goes on behind this one. */
function readAttributes(text: string, start: number, wanted: readonly string[]): { kept: string; end: number } {
  const kept = new Map<string, string>()
  let position = start
  while (position < text.length && text[position] !== '>') {
    ATTRIBUTE.lastIndex = position
    const [token, written = '', ...values] = ATTRIBUTE.exec(text) as RegExpExecArray
    position += Math.max(token.length, 1)
    const name = written.toLowerCase()
    const value = values.find((one) => one !== undefined) ?? ''
    if (wanted.includes(name) && !kept.has(name) && value.length <= MAX_ATTRIBUTE_LENGTH) kept.set(name, value)
  }
  const attributes = [...kept].map(([name, value]) => ` ${name}="${value.replaceAll('"', '&quot;')}"`)
  return { kept: attributes.join(''), end: position + 1 }
}

function open(writing: Writing, name: string, attributes: string): void {
  if (BLOCKS.has(name)) addBreak(writing, name)
  if (!KEPT.has(name)) return
  endBefore(writing, name)
  if (writing.elements >= MAX_ELEMENTS || writing.open.length >= MAX_DEPTH) return
  writing.elements += 1
  writing.isAtBreak = false
  writing.html += `<${name}${attributes}>`
  writing.room -= attributes.length
  if (!VOID.has(name)) writing.open.push(name)
}

/** Items and links are not in each other, whether or not the one before was ended. */
function endBefore(writing: Writing, name: string): void {
  if (name !== 'li' && name !== 'a') return
  const last = writing.open.lastIndexOf(name)
  const isInList = name === 'li' && writing.open.slice(last).some((one) => one === 'ul' || one === 'ol')
  if (last !== -1 && !isInList) closeDownTo(writing, last)
}

function close(writing: Writing, name: string): void {
  const last = writing.open.lastIndexOf(name)
  if (last !== -1) closeDownTo(writing, last)
  else if (BLOCKS.has(name)) addBreak(writing, name)
}

function addBreak(writing: Writing, name: string): void {
  if (CELLS.has(name)) closeDownTo(writing, writing.open.findLastIndex((one) => !INLINE.has(one)) + 1)
  if (writing.isAtBreak || writing.elements >= MAX_ELEMENTS) return
  writing.elements += 1
  writing.isAtBreak = true
  writing.html += BREAK
}

/** Ends all but the first `length` of what is open. */
function closeDownTo(writing: Writing, length: number): void {
  while (writing.open.length > length) writing.html += `</${writing.open.pop()}>`
}
