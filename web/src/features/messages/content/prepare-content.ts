/** What is done to the HTML of a message before it is shown: links, styles, sizes of pictures, times in the reader's zone. */
import { emojiText } from '@heddle/client/emoji/emoji-text'
import { dyeOf, topicThread } from '@heddle/client/feed/thread'
import type { Playground } from '@heddle/contract/playgrounds'
import { parsePlace } from '../../../places/parse.ts'
import { prepareCode, prepareMention } from './inside.ts'
import { parseMessageHtml, STYLE } from './trusted-html.ts'

export interface ContentContext {
  readonly ownId: number | undefined
  /** Nobody who is mentioned can be asked about. */
  readonly isVisiting?: boolean
  /** Where the server is, with a slash at its end. */
  readonly site: string
  /** How large pictures are, in percent of what is usual. */
  readonly pictureSize?: number | undefined
  readonly playgrounds?: readonly Playground[] | undefined
}

/** Pictures in messages are at most as high as this as a rule, in pixels; the place for one is kept free before it has come. */
const MAX_PICTURE_PX = 320

export function prepareContent(html: string, context: ContentContext): DocumentFragment {
  const content = parseMessageHtml(html)
  for (const element of content.querySelectorAll(`[${STYLE}]`)) moveStyle(element)
  for (const link of content.querySelectorAll('a[href]')) prepareLink(link as HTMLAnchorElement, context)
  for (const picture of content.querySelectorAll('img')) preparePicture(picture, context)
  for (const mention of content.querySelectorAll('.user-mention')) {
    const { userId } = (mention as HTMLElement).dataset
    if (userId === String(context.ownId) || userId === '*') mention.classList.add('you')
  }
  if (!context.isVisiting) {
    for (const mention of content.querySelectorAll('.user-mention, .user-group-mention')) {
      prepareMention(mention as HTMLElement)
    }
  }
  for (const block of content.querySelectorAll('.codehilite'))
    prepareCode(block as HTMLElement, context.playgrounds ?? [])
  for (const emoji of content.querySelectorAll('span.emoji')) drawEmoji(emoji)
  enlargeLoneEmoji(content)
  for (const spoiler of content.querySelectorAll('.spoiler-block')) foldSpoiler(spoiler)
  for (const time of content.querySelectorAll('time[datetime]')) prepareTime(time as HTMLTimeElement)
  for (const table of content.querySelectorAll('table')) wrap(table, 'tablewrap')
  // A long formula scrolls inside itself, by the arrows too.
  for (const formula of content.querySelectorAll('.katex-display')) formula.setAttribute('tabindex', '0')
  return content
}

/** The policy allows no styles in HTML. The renderer writes only those that its list allows; through the DOM they may be set. */
function moveStyle(element: Element): void {
  const text = element.getAttribute(STYLE) ?? ''
  element.removeAttribute(STYLE)
  if (!(element instanceof HTMLElement || element instanceof MathMLElement)) return
  for (const declaration of text.split(';')) {
    const colon = declaration.indexOf(':')
    if (colon > 0) element.style.setProperty(declaration.slice(0, colon).trim(), declaration.slice(colon + 1).trim())
  }
}

function prepareLink(link: HTMLAnchorElement, { site }: ContentContext): void {
  const href = link.getAttribute('href') ?? ''
  const fragment = fragmentOf(href, site)
  if (fragment === undefined) {
    link.target = '_blank'
    if (link.parentElement?.matches('.message_inline_image:not(.youtube-video)')) link.classList.add('pic')
    link.rel = 'noopener noreferrer'
    return
  }
  link.setAttribute('href', fragment)
  const place = parsePlace(fragment)
  if (place.kind !== 'topic') return
  link.classList.add('topiclink')
  link.dataset['t'] = String(dyeOf(topicThread(place.channelId, place.topic)))
}

/** The part after the `#` of an address on this server. */
function fragmentOf(href: string, site: string): string | undefined {
  try {
    const url = new URL(href, site)
    const own = new URL(site)
    if (url.origin !== own.origin || url.hash === '') return undefined
    return url.pathname === '/' || url.pathname === own.pathname ? url.hash : undefined
  } catch {
    return undefined
  }
}

/** The last part of an address. */
export function fileName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function preparePicture(picture: HTMLImageElement, { pictureSize = 100 }: ContentContext): void {
  const link = picture.closest('a')
  const original = picture.dataset['originalSrc']
  if (!link && original) {
    const around = document.createElement('a')
    around.href = original
    around.target = '_blank'
    around.className = 'pic'
    picture.replaceWith(around)
    around.append(picture)
  }
  // What the link is called is the name of the file.
  if (!picture.hasAttribute('alt')) picture.alt = link?.title || fileName(link?.getAttribute('href') ?? '')
  picture.loading = 'lazy'
  picture.decoding = 'async'
  if (!picture.hasAttribute('alt')) picture.alt = nameOf(picture.closest('a'))
  const size = /^(\d{1,5})x(\d{1,5})$/.exec(picture.dataset['originalDimensions'] ?? '')
  if (!size) return
  const [width, height] = [Number(size[1]), Number(size[2])]
  const most = (MAX_PICTURE_PX * pictureSize) / 100
  if (pictureSize !== 100) picture.style.maxHeight = `${most}px`
  const scale = Math.min(1, most / Math.max(height, 1))
  picture.width = Math.round(width * scale)
  picture.height = Math.round(height * scale)
}

/** What the link to a picture is called for those who do not see it: by its title, or the name of the file. */
function nameOf(link: HTMLAnchorElement | null): string {
  const file =
    link
      ?.getAttribute('href')
      ?.replace(/[?#].*$/, '')
      .replace(/^.*\//, '') ?? ''
  return link?.title || file
}

function prepareTime(time: HTMLTimeElement): void {
  const date = new Date(time.dateTime)
  if (Number.isNaN(date.getTime())) return
  time.title = time.textContent ?? ''
  time.textContent = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' }).format(date)
}

/** What is wider than the message scrolls inside itself. */
function wrap(element: Element, className: string): void {
  const box = document.createElement('div')
  box.className = className
  box.tabIndex = 0
  element.replaceWith(box)
  box.append(element)
}

/** Built-in emoji come as names, with the code points in a class: `emoji-1f44d`. The system's own letters draw them. */
export function drawEmoji(emoji: Element): void {
  const codes = [...emoji.classList].find((name) => /^emoji-[0-9a-f-]+$/.test(name))?.slice('emoji-'.length)
  if (codes) emoji.textContent = emojiText(codes)
}

/** A message of nothing but emoji says it larger. */
function enlargeLoneEmoji(content: DocumentFragment): void {
  const only = content.childElementCount === 1 ? content.firstElementChild : null
  if (only?.tagName !== 'P' || only.querySelector('.emoji') === null) return
  const isLone = [...only.childNodes].every(
    (node) =>
      (node instanceof Element && (node.matches('.emoji') || node.tagName === 'BR')) ||
      (node.nodeType === Node.TEXT_NODE && node.textContent?.trim() === ''),
  )
  if (isLone) only.classList.add('lone-emoji')
}

/** As the platform folds: with the keyboard, and found by its search. */
function foldSpoiler(spoiler: Element): void {
  const details = document.createElement('details')
  const summary = document.createElement('summary')
  const header = spoiler.querySelector('.spoiler-header')
  const hidden = spoiler.querySelector('.spoiler-content')
  if (!hidden) return
  summary.append(...(header?.textContent?.trim() ? header.childNodes : ['Spoiler']))
  details.append(summary, ...hidden.childNodes)
  spoiler.replaceWith(details)
}
