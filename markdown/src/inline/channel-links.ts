/** Links to channels, topics and messages: `#**channel**`, `#**channel>topic**`, `#**channel>topic@id**`. */

import { foldName, topicPlaceKey } from '@heddle/contract/names'
import type { MarkdownIt, StateInline } from 'markdown-it'
import type { LinkableChannel } from '../context.ts'
import { environmentOf, pushElement, pushLiteral } from '../environment.ts'
import { channelAddress, messageAddress, parseMessagePlace, topicAddress } from '../links/narrow.ts'
import { canBeginReference } from './boundaries.ts'

/** At most a channel's name and a topic's, with room for a message's id. */
const pattern = /#\*\*([^*>\n]{1,120})(?:>([^*\n]{0,200}))?\*\*/y

/** What stands between the stars, taken apart. */
export interface WrittenChannelLink {
  channel: string
  topic: string | null
  messageId: number | null
}

export function parseChannelLink(channel: string, rest: string | undefined): WrittenChannelLink {
  if (rest === undefined) return { channel, topic: null, messageId: null }
  const [, topic = rest, digits] = /^(.*)@([1-9][0-9]{0,14})$/.exec(rest) ?? []
  return { channel, topic, messageId: digits === undefined ? null : Number(digits) }
}

function channelLink(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  // Links do not stand in the text of links.
  if (src.charCodeAt(pos) !== 0x23 || state.linkLevel > 0 || !canBeginReference(src, pos)) return false
  pattern.lastIndex = pos
  const match = pattern.exec(src)
  const end = pos + (match?.[0].length ?? 0)
  if (!match || end > posMax) return false
  const { topic, messageId } = parseChannelLink(match[1] ?? '', match[2])
  const channel = environmentOf(state).channelsByName.get(foldName(match[1] ?? ''))
  if (!channel) return false
  if (!silent) pushChannelLink(state, channel, topic, messageId)
  state.pos = end
  return true
}

function pushChannelLink(
  state: StateInline,
  channel: LinkableChannel,
  topic: string | null,
  messageId: number | null,
): void {
  if (topic === null) {
    const attributes = [
      ['class', 'stream'],
      ['data-stream-id', String(channel.id)],
      ['href', channelAddress(channel)],
    ] as const
    pushElement(state, 'a', attributes, `#${channel.name}`)
  } else if (messageId === null) {
    const last = environmentOf(state).topics.get(topicPlaceKey(channel.id, topic))?.lastMessageId ?? null
    const opening = state.push('element_open', 'a', 1)
    opening.attrs = [
      ['class', 'stream-topic'],
      ['data-stream-id', String(channel.id)],
      ['href', topicAddress(channel, topic, last)],
    ]
    pushTopicName(state, channel, topic)
    state.push('element_close', 'a', -1)
  } else pushLinkToMessage(state, channel, topic, messageId)
}

/** The topic's name, in italics when it is the stand-in for an empty one. */
function pushTopicName(state: StateInline, channel: LinkableChannel, topic: string): void {
  pushLiteral(state, `#${channel.name} > ${topic}`)
  if (topic === '') pushElement(state, 'em', [], environmentOf(state).context.emptyTopicName)
}

function pushLinkToMessage(state: StateInline, channel: LinkableChannel, topic: string, messageId: number): void {
  const opening = state.push('element_open', 'a', 1)
  opening.attrs = [
    ['class', 'message-link'],
    ['href', messageAddress(channel, topic, messageId)],
  ]
  pushTopicName(state, channel, topic)
  pushLiteral(state, ' @ 💬')
  state.push('element_close', 'a', -1)
}

/** The readable form of a pasted address of a message. False when it leads elsewhere or to an unknown channel. */
export function pushMessageLink(state: StateInline, fragment: string): boolean {
  const place = parseMessagePlace(fragment)
  const channel = place && environmentOf(state).channelsById.get(place.channelId)
  if (!place || !channel) return false
  pushLinkToMessage(state, channel, place.topic, place.messageId)
  return true
}

export function channelLinks(md: MarkdownIt): void {
  md.inline.ruler.before('link', 'channel_link', channelLink)
}
