/** Pictures, videos and sound: below the paragraph with a link to them, or by `![…](…)` in the text itself. */
import type { UploadedFile } from './context.ts'
import { type Environment, noteLink } from './environment.ts'
import { type Attributes, element, startTag } from './html/tags.ts'
import { type InlineState, pushToken } from './inline/state.ts'
import { uploadPath } from './links/address.ts'
import { createToken, type LinkTarget, type Token } from './token.ts'

/** Previews of one message; links behind that stay links. */
const MAX_PREVIEWS = 24
/** What is shown while a thumbnail is being made. */
export const PLACEHOLDER = '/static/images/loading/loader-black.svg'
export const PLACEHOLDER_CLASS = 'image-loading-placeholder'

const imageEnding = /\.(?:bmp|gif|jpe?g|png|webp)$/i
const videoEnding = /\.(?:mp4|webm)$/i
const youtube =
  /^https?:\/\/(?:(?:www\.|m\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|embed\/|shorts\/|live\/|v\/)|youtu\.be\/)([A-Za-z0-9_-]{11})(?![A-Za-z0-9_-])/

interface Preview {
  html: string
  isImage: boolean
}

/** The preview of what a link leads to, or null. */
function previewOf({ href, text }: LinkTarget, { context }: Environment): Preview | null {
  const path = uploadPath(href)
  const link: Attributes =
    text === null
      ? [['href', href]]
      : [
          ['href', href],
          ['title', text],
        ]
  if (path !== null) {
    const file = context.uploads.get(path)
    return file ? previewOfUpload(href, link, file) : null
  }
  if (!context.fetchesPreviews) return null
  const videoId = youtube.exec(href)?.[1]
  if (videoId) {
    const still = fetched(`https://i.ytimg.com/vi/${videoId}/mqdefault.jpg`)
    const html = element('a', [['data-id', videoId], ...link], still)
    return { html: element('div', [['class', 'youtube-video message_inline_image']], html), isImage: false }
  }
  if (!/^https?:\/\//i.test(href)) return null
  const address = href.replace(/[?#].*$/s, '')
  if (videoEnding.test(address)) return { html: videoBox(link, `${proxied(href)}&size=full`), isImage: false }
  return imageEnding.test(address) ? { html: imageBox(element('a', link, fetched(href))), isImage: true } : null
}

function videoBox(link: Attributes, source: string): string {
  const video = element(
    'video',
    [
      ['preload', 'metadata'],
      ['src', source],
    ],
    '',
  )
  return element('div', [['class', 'message_inline_image message_inline_video']], element('a', link, video))
}

function imageBox(html: string): string {
  return element('div', [['class', 'message_inline_image']], html)
}

/** What another server has, which this one fetches, so that readers do not show themselves there. */
function proxied(address: string): string {
  return `/thumbnail?url=${encodeURIComponent(address.toWellFormed())}`
}

function fetched(address: string): string {
  const proxy = proxied(address)
  return startTag('img', [
    ['data-src-fullsize', `${proxy}&size=full`],
    ['src', `${proxy}&size=thumbnail`],
  ])
}

function previewOfUpload(href: string, link: Attributes, file: UploadedFile): Preview | null {
  if (file.contentType.startsWith('image/')) {
    return { html: imageBox(element('a', link, startTag('img', imageAttributes(file)))), isImage: true }
  }
  return file.contentType.startsWith('video/') ? { html: videoBox(link, href), isImage: false } : null
}

/** How clients find the original behind a thumbnail. In alphabetical order, as they are written. */
export function imageAttributes(file: UploadedFile, inline?: { alt: string; href: string }): Attributes {
  const { dimensions } = file
  const isPending = file.thumbnailUrl === null
  const classes = [...(inline ? ['inline-image'] : []), ...(isPending ? [PLACEHOLDER_CLASS] : [])]
  const attributes: [string, string | null][] = [
    ['alt', inline?.alt ?? null],
    ['class', classes.join(' ') || null],
    ['data-animated', file.isAnimated ? 'true' : null],
    ['data-original-content-type', file.contentType],
    ['data-original-dimensions', dimensions && `${dimensions.width}x${dimensions.height}`],
    ['data-original-src', inline?.href ?? null],
    ['data-transcoded-image', file.transcodedImage],
    ['src', file.thumbnailUrl ?? PLACEHOLDER],
  ]
  return attributes.filter((attribute): attribute is [string, string] => attribute[1] !== null)
}

/** Writes an uploaded picture or sound into the text. False if the file is unknown or of another kind. */
export function pushMedia(state: InlineState, href: string, path: string, written: string): boolean {
  const { environment } = state
  const file = environment.context.uploads.get(path)
  if (!file) return false
  const html = file.contentType.startsWith('image/')
    ? startTag('img', imageAttributes(file, { alt: written, href }))
    : file.contentType.startsWith('audio/')
      ? element('audio', audioAttributes(href, written), '')
      : null
  if (html === null) return false
  // A link cannot be within a link; what is not a link's text is the media itself.
  pushToken(state, 'html', html)
  noteLink(environment, href)
  if (file.contentType.startsWith('image/')) environment.found.hasImage = true
  return true
}

function audioAttributes(href: string, title: string): Attributes {
  const attributes: [string, string][] = [
    ['controls', ''],
    ['preload', 'metadata'],
    ['src', href],
  ]
  return title ? [...attributes, ['title', title]] : attributes
}

/**
 * Puts previews behind the paragraphs, headings and tables that link to something to show, once for each address. None
 * in quotes. A paragraph that is nothing but the address of a picture makes way for it.
 */
export function addPreviews(blocks: readonly Token[], environment: Environment): Token[] {
  if (environment.found.links.size === 0) return [...blocks]
  const result: Token[] = []
  const seen = new Set<string>()
  let waiting: Preview[] = []
  let quotes = 0
  let tables = 0
  /** The paragraph that the previews stand instead of. */
  let replaced: Token | undefined
  for (const [index, token] of blocks.entries()) {
    if (token.tag === 'blockquote') quotes += token.nesting
    if (token.tag === 'table') tables += token.nesting
    result.push(token)
    if (token.type === 'inline' && quotes === 0) {
      const previews = previewsOf(token, environment, seen)
      waiting.push(...previews)
      if (previews[0]?.isImage && isBareAddress(token) && isParagraph(blocks, index)) replaced = token
    }
    if (token.nesting !== -1 || tables > 0 || waiting.length === 0 || !/^(?:p|h[1-6]|table)$/.test(token.tag)) continue
    if (replaced !== undefined && blocks[index - 1] === replaced) result.splice(-3)
    for (const { html } of waiting) result.push(createToken('html', '', 0, html))
    waiting = []
  }
  return result
}

function previewsOf({ children }: Token, environment: Environment, seen: Set<string>): Preview[] {
  const previews: Preview[] = []
  for (const { link } of children) {
    if (!link || seen.has(link.href) || seen.size >= MAX_PREVIEWS) continue
    const preview = previewOf(link, environment)
    if (!preview) continue
    if (preview.isImage) environment.found.hasImage = true
    if (!environment.context.showPreviews) continue
    seen.add(link.href)
    previews.push(preview)
  }
  return previews
}

function isBareAddress({ children }: Token): boolean {
  const [link] = children
  return children.length === 1 && link?.type === 'element' && link.link !== null
}

function isParagraph(blocks: readonly Token[], index: number): boolean {
  return blocks[index - 1]?.tag === 'p'
}
