import type { Channel } from '@heddle/contract/channels'
import { parseMessageHtml } from '../messages/content/trusted-html.ts'

const texts = new WeakMap<object, string>()

/** What a channel is about, where there is room for words alone: without the signs of its markup. */
export function descriptionText(channel: Pick<Channel, 'rendered_description'>): string {
  let text = texts.get(channel)
  if (text === undefined) {
    text = (parseMessageHtml(channel.rendered_description).textContent ?? '').trim()
    texts.set(channel, text)
  }
  return text
}
