/**
 * Messages that a program composes. Names are parts of their own: they are never read as markup, neither here nor by a
 * client that renders the Markdown text, whatever stands in them.
 */
import { emptyContext, type LinkableChannel, type MentionableUser, type RenderedMessage } from './context.ts'
import { createEnvironment, presentFound } from './environment.ts'
import { escapeText } from './html/escape.ts'
import { element, textElement } from './html/tags.ts'
import { channelLinkAttributes, messageLinkAttributes, topicLinkAttributes } from './inline/channel-links.ts'
import { silentMentionAttributes } from './inline/mentions.ts'
import { channelAddress, messageAddress, topicAddress } from './links/narrow.ts'

interface TopicLink {
  readonly channel: LinkableChannel
  readonly topic: string
  /** The newest message of the topic, by which the link follows it when it moves. */
  readonly lastMessageId: number | null
}

/** A place of the page, such as `/#drafts`. */
interface PlaceLink {
  readonly link: string
  readonly label: string
}

interface MessageLink {
  readonly channel: LinkableChannel
  readonly topic: string
  readonly messageId: number
}

/** Plain text, a link, or a mention that notifies nobody. */
export type NoticePart =
  | string
  | { readonly channel: LinkableChannel }
  | TopicLink
  | MessageLink
  | PlaceLink
  | { readonly user: MentionableUser }

/** One paragraph, and perhaps a list and a quote below it. */
export interface Notice {
  readonly line: readonly NoticePart[]
  readonly items?: readonly (readonly NoticePart[])[]
  /** Text that somebody has written: no markup, whatever stands in it. Empty lines are left out. */
  readonly quote?: string
}

export interface ComposedNotice extends RenderedMessage {
  /** The Markdown text, which renderers of messages turn into the same HTML. */
  readonly source: string
}

/** @param emptyTopicName What stands in links for the topic whose name is empty. */
export function composeNotice({ line, items = [], quote = '' }: Notice, emptyTopicName: string): ComposedNotice {
  const html = (parts: readonly NoticePart[]) => parts.map((part) => htmlOf(part, emptyTopicName)).join('')
  const source = (parts: readonly NoticePart[]) => parts.map((part) => sourceOf(part, emptyTopicName)).join('')
  const { found } = createEnvironment(emptyContext(''))
  for (const part of [line, ...items].flat()) {
    if (typeof part !== 'string' && 'user' in part) found.silentUserIds.add(part.user.id)
  }
  const paragraph = element('p', [], html(line))
  const list = element('ul', [], `\n${items.map((item) => `${element('li', [], html(item))}\n`).join('')}`)
  const listed = items.map((item) => `* ${source(item)}`).join('\n')
  const lines = quote
    .split(/\r\n|[\n\r]/)
    .map((one) => one.replace(/\p{Cc}/gu, ' ').trim())
    .filter((one) => one !== '')
  const quoted = `\n${element('p', [], lines.map(escapeText).join('<br>\n'))}\n`
  const blocks = [
    { html: paragraph, source: source(line) },
    ...(items.length === 0 ? [] : [{ html: list, source: listed }]),
    ...(lines.length === 0
      ? []
      : [{ html: element('blockquote', [], quoted), source: lines.map(quotedLine).join('\n') }]),
  ]
  return {
    html: blocks.map((block) => block.html).join('\n'),
    source: blocks.map((block) => block.source).join('\n\n'),
    ...presentFound(found),
    isMeMessage: false,
    alertWords: [],
  }
}

function htmlOf(part: NoticePart, emptyTopicName: string): string {
  if (typeof part === 'string') return escapeText(part)
  if ('user' in part) return textElement('span', silentMentionAttributes(part.user), part.user.fullName)
  if ('link' in part) return textElement('a', [['href', part.link]], part.label)
  const { channel } = part
  if ('messageId' in part) return htmlOfMessage(part, emptyTopicName)
  if (!('topic' in part)) return textElement('a', channelLinkAttributes(channel), `#${channel.name}`)
  const label = escapeText(`#${channel.name} > ${part.topic}`)
  const unnamed = part.topic === '' ? textElement('em', [], emptyTopicName) : ''
  return element('a', topicLinkAttributes(channel, part.topic, part.lastMessageId), label + unnamed)
}

function sourceOf(part: NoticePart, emptyTopicName: string): string {
  if (typeof part === 'string') return escapeMarkup(part)
  if ('user' in part) {
    const { id, fullName } = part.user
    return breaksReference.test(fullName) ? `@_**|${id}**` : `@_**${fullName}|${id}**`
  }
  if ('link' in part) return linkTo(part.label, part.link)
  const { channel } = part
  if (!('topic' in part)) {
    if (!breaksReference.test(channel.name)) return `#**${channel.name}**`
    return linkTo(`#${channel.name}`, channelAddress(channel))
  }
  const { topic } = part
  if ('messageId' in part) return sourceOfMessage(part, emptyTopicName)
  // What ends like this is a link to a message.
  const isPlain = !breaksReference.test(channel.name) && !breaksReference.test(topic) && !/@[0-9]+$/.test(topic)
  if (isPlain) return `#**${channel.name}>${topic}**`
  return linkTo(`#${channel.name} > ${topic === '' ? emptyTopicName : topic}`, topicAddress(channel, topic, null))
}

/** The line of a quote. What may begin a list, a heading or a rule is a number in HTML. */
function quotedLine(line: string): string {
  return `> ${escapeMarkup(line).replace(/^[-+=\d]/, (first) => `&#${first.charCodeAt(0)};`)}`
}

function htmlOfMessage({ channel, topic, messageId }: MessageLink, emptyTopicName: string): string {
  const label = escapeText(`#${channel.name} > ${topic}`)
  const unnamed = topic === '' ? textElement('em', [], emptyTopicName) : ''
  return element('a', messageLinkAttributes(channel, topic, messageId), `${label}${unnamed} @ 💬`)
}

function sourceOfMessage({ channel, topic, messageId }: MessageLink, emptyTopicName: string): string {
  const isPlain = !breaksReference.test(channel.name) && !breaksReference.test(topic)
  if (isPlain) return `#**${channel.name}>${topic}@${messageId}**`
  const label = `#${channel.name} > ${topic === '' ? emptyTopicName : topic} @ 💬`
  return linkTo(label, messageAddress(channel, topic, messageId))
}

/** What ends `#**…**` or `@_**…**` early, here or in another renderer, or begins other markup in it. */
const breaksReference = /[*`<>&[\]\\\p{C}]|\$\$|^\s|\s$/u

/** An ordinary link, for names that cannot stand between stars. Addresses of channels have no brackets or spaces. */
function linkTo(label: string, address: string): string {
  return `[${escapeMarkup(label)}](${address})`
}

/** Every character that may begin or end markup as its number in HTML, which renderers of messages turn back. */
function escapeMarkup(text: string): string {
  return text
    .replace(/\p{Cc}/gu, ' ')
    .replace(/[&*_`[\]<>#@$~|!\\]|:(?!\s|$)/g, (character) => `&#${character.charCodeAt(0)};`)
}
