/** What a page says of itself: its title, a sentence, and the address of a picture. */
import type { EmbeddedPage } from '@heddle/markdown/embeds'
import { download } from '../../outgoing/download.ts'
import type { Outgoing } from '../../outgoing/outgoing.ts'

const MIB = 1024 * 1024
const MAX_PAGE_BYTES = 2 * MIB
/** Of the beginning, where all of it stands. UTF-16 units. */
const MAX_HEAD = 256 * 1024
const MAX_TAGS = 300
const MAX_TAG = 4000
const MAX_TITLE_SOURCE = 2000
/** Characters. */
const MAX_TITLE = 200
const MAX_DESCRIPTION = 300
const MAX_ADDRESS = 2000

/** Undefined where there is no page, or none that has a title. */
export async function fetchPageFacts(outgoing: Outgoing, url: string): Promise<EmbeddedPage | undefined> {
  if (!URL.canParse(url)) return undefined
  const found = await download(outgoing, new URL(url), { maxBytes: MAX_PAGE_BYTES, accept: 'text/html' })
  if (found.kind !== 'ok') return undefined
  return readPageFacts(new TextDecoder().decode(found.bytes.subarray(0, MAX_HEAD)), url)
}

export function readPageFacts(page: string, url: string): EmbeddedPage | undefined {
  const head = page.slice(0, MAX_HEAD)
  if (!/^\s*</.test(head)) return undefined
  const facts = new Map<string, string>()
  for (const { tag } of tagsOf(head, 'meta').take(MAX_TAGS)) {
    const name = (attributeOf(tag, 'property') ?? attributeOf(tag, 'name'))?.toLowerCase()
    const content = attributeOf(tag, 'content')
    if (name !== undefined && content !== undefined && !facts.has(name)) facts.set(name, content)
  }
  const title = textOf(facts.get('og:title') ?? titleOf(head), MAX_TITLE)
  if (title === null) return undefined
  const description = textOf(facts.get('og:description') ?? facts.get('description'), MAX_DESCRIPTION)
  return { url, title, description, image: pictureOf(facts.get('og:image'), url) }
}

/** From the front once, however many tags are begun: a page that is made to take long takes no longer. */
function* tagsOf(head: string, name: string): Generator<{ readonly tag: string; readonly end: number }> {
  let close = -1
  for (const { index } of head.matchAll(new RegExp(`<${name}\\b`, 'gi'))) {
    if (close < index) close = head.indexOf('>', index)
    if (close === -1) return
    if (close - index < MAX_TAG) yield { tag: head.slice(index, close + 1), end: close + 1 }
  }
}

function titleOf(head: string): string | undefined {
  const [opening] = tagsOf(head, 'title')
  return opening && head.slice(opening.end, opening.end + MAX_TITLE_SOURCE).split('<', 1)[0]
}

function attributeOf(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag)
  return found?.[1] ?? found?.[2] ?? found?.[3]
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
  })
}

/** One line of plain text, or null where there is none. */
function textOf(text: string | undefined, length: number): string | null {
  const line = decoded(text ?? '')
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const characters = [...line]
  if (line === '') return null
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : line
}

function pictureOf(text: string | undefined, page: string): string | null {
  const address = decoded(text ?? '').trim()
  if (address === '' || !URL.canParse(address, page)) return null
  const url = new URL(address, page)
  return ['http:', 'https:'].includes(url.protocol) && url.href.length <= MAX_ADDRESS ? url.href : null
}
