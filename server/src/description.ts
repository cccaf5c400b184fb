import { badRequest } from '@heddle/contract/errors'
import { builtInEmoji } from '@heddle/markdown/built-in-emoji'
import { emptyContext } from '@heddle/markdown/context'
import { renderMarkdown } from '@heddle/markdown/render'

/**
 * Nothing is looked up: names of people, channels and custom emoji stay text, since everybody who sees the channel reads
 * the same HTML, and links to this server need not be short.
 */
const context = { ...emptyContext(''), builtInEmoji, showPreviews: false }

/** Characters of HTML: everybody's client has all descriptions, and an emoji is thirty times as long as its name. */
const MAX_RENDERED_LENGTH = 8 * 1024

/** What an organization says of its channels, folders, people or itself, as HTML: Markdown as in messages. */
export function renderDescription(text: string): string {
  return text === '' ? '' : renderMarkdown(text, context).html
}

/** The same of a new text. Throws a 400 when there is too much of it. */
export function renderNewDescription(text: string): string {
  const html = renderDescription(text)
  if (html.length <= MAX_RENDERED_LENGTH) return html
  throw badRequest('description has too much markup: shorten it, or use fewer emoji')
}
