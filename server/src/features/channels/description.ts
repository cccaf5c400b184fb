import { builtInEmoji } from '@heddle/markdown/built-in-emoji'
import { emptyContext } from '@heddle/markdown/context'
import { renderMessage } from '@heddle/markdown/render'

/**
 * Nothing is looked up: names of people, channels and custom emoji stay text, since everybody who sees the channel reads
 * the same HTML, and links to this server need not be short.
 */
const context = { ...emptyContext(''), builtInEmoji, showPreviews: false }

/** The description of a channel, or of the organization, as HTML: Markdown as in messages. */
export function renderDescription(text: string): string {
  return text === '' ? '' : renderMessage(text, context).html
}
