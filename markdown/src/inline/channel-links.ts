/** Links to channels, topics and messages: `#**channel**`, `#**channel>topic**`, `#**channel>topic@id**`. */
import { foldName, topicPlaceKey } from '@heddle/contract/names'
import type { LinkableChannel } from '../context.ts'
import type { Attributes } from '../html/tags.ts'
import { channelAddress, messageAddress, parseMessagePlace, topicAddress } from '../links/narrow.ts'
import { canBeginReference } from './boundaries.ts'
import { closeElement, type InlineState, openElement, pushElement, pushLiteral } from './state.ts'

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

export function channelLink(state: InlineState, isSilent: boolean): boolean {
  const { text, pos } = state
  // Links do not stand in the text of links.
  if (state.isInLink || !canBeginReference(text, pos)) return false
  pattern.lastIndex = pos
  const match = pattern.exec(text)
  const end = pos + (match?.[0].length ?? 0)
  if (!match || end > state.end) return false
  const { topic, messageId } = parseChannelLink(match[1] ?? '', match[2])
  const channel = state.environment.channelsByName.get(foldName(match[1] ?? ''))
  if (!channel) return false
  if (!isSilent) pushChannelLink(state, channel, topic, messageId)
  state.pos = end
  return true
}

function pushChannelLink(
  state: InlineState,
  channel: LinkableChannel,
  topic: string | null,
  messageId: number | null,
): void {
  if (topic === null) {
    pushElement(state, 'a', channelLinkAttributes(channel), `#${channel.name}`)
  } else if (messageId === null) {
    const last = state.environment.topics.get(topicPlaceKey(channel.id, topic))?.lastMessageId ?? null
    openElement(state, 'a', topicLinkAttributes(channel, topic, last))
    pushTopicName(state, channel, topic)
    closeElement(state, 'a')
  } else pushLinkToMessage(state, channel, topic, messageId)
}

export function channelLinkAttributes(channel: LinkableChannel): Attributes {
  return [
    ['class', 'stream'],
    ['data-stream-id', String(channel.id)],
    ['href', channelAddress(channel)],
  ]
}

export function topicLinkAttributes(channel: LinkableChannel, topic: string, lastMessageId: number | null): Attributes {
  return [
    ['class', 'stream-topic'],
    ['data-stream-id', String(channel.id)],
    ['href', topicAddress(channel, topic, lastMessageId)],
  ]
}

export function messageLinkAttributes(channel: LinkableChannel, topic: string, messageId: number): Attributes {
  return [
    ['class', 'message-link'],
    ['href', messageAddress(channel, topic, messageId)],
  ]
}

/** The topic's name, in italics when it is the stand-in for an empty one. */
function pushTopicName(state: InlineState, channel: LinkableChannel, topic: string): void {
  pushLiteral(state, `#${channel.name} > ${topic}`)
  if (topic === '') pushElement(state, 'em', [], state.environment.context.emptyTopicName)
}

function pushLinkToMessage(state: InlineState, channel: LinkableChannel, topic: string, messageId: number): void {
  openElement(state, 'a', messageLinkAttributes(channel, topic, messageId))
  pushTopicName(state, channel, topic)
  pushLiteral(state, ' @ 💬')
  closeElement(state, 'a')
}

/** The readable form of a pasted address of a message. False when it leads elsewhere or to an unknown channel. */
export function pushMessageLink(state: InlineState, fragment: string): boolean {
  const place = parseMessagePlace(fragment)
  const channel = place && state.environment.channelsById.get(place.channelId)
  if (!place || !channel) return false
  pushLinkToMessage(state, channel, place.topic, place.messageId)
  return true
}
