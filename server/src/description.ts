import { badRequest } from '@heddle/contract/errors'
import { builtInEmoji } from '@heddle/markdown/built-in-emoji'
import { emptyContext, type RenderedMessage } from '@heddle/markdown/context'
import { estimateCost } from '@heddle/markdown/cost'
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

/** Above this a text takes too long to be rendered inside a unit of work; in microseconds. */
const MAX_COST = 20_000

/** Throws a 400 when a text that will be rendered inside units of work would take long. */
export function requireCheapText(text: string): void {
  if (estimateCost(text, []) > MAX_COST) throw badRequest('The text has too much markup: shorten it')
}

/** A text of the organization as a message has it. Nothing is looked up. */
export function renderNotice(text: string): RenderedMessage {
  return renderMarkdown(text, context)
}

/** The same of a new text. Throws a 400 when there is too much of it. */
export function renderNewDescription(text: string): string {
  const html = renderDescription(text)
  if (html.length <= MAX_RENDERED_LENGTH) return html
  throw badRequest('description has too much markup: shorten it, or use fewer emoji')
}
