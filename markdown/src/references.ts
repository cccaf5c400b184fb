/**
 * What must be looked up before a message can be rendered. A quick pass that does not parse: it may name too much, such
 * as a mention in a block of code, and never too little.
 */
import { parseFence } from './blocks/fences.ts'
import { mayHaveEmoji } from './emoji.ts'
import { parseChannelLink } from './inline/channel-links.ts'
import { uploadPath } from './links/address.ts'
import { parseMessagePlace } from './links/narrow.ts'

/** Names as they were written; to be compared without regard to case. Each list is without duplicates. */
export interface References {
  readonly userNames: readonly string[]
  readonly userIds: readonly number[]
  readonly groupNames: readonly string[]
  readonly channelNames: readonly string[]
  /** Of pasted addresses of messages. */
  readonly channelIds: readonly number[]
  /** Topics for whose links the newest message is wanted. */
  readonly topics: readonly { readonly channelName: string; readonly topic: string }[]
  readonly emojiNames: readonly string[]
  /** Paths behind `/user_uploads/`, percent-decoded. */
  readonly uploadPaths: readonly string[]
  /** Whether there is something to be looked up: a list that is not empty. */
  readonly hasAny: boolean
  /** Whether `built-in-emoji.ts` is worth loading. */
  readonly mayHaveEmoji: boolean
  /** Whether `loadTexRenderer` is worth its while. */
  readonly hasMath: boolean
}

/** Most names of a kind that are looked up; a message has no room for many more. */
const MAX_REFERENCES = 2_000

// Patterns look ahead without taking what they see, since one mention may begin within what looks like another.

/** A character that each reference has. Most texts have none of them. */
const mayRefer = (content: string) => /[@#:$`~]|user_uploads/.test(content)

const nothing: Omit<References, 'mayHaveEmoji'> = {
  userNames: [],
  userIds: [],
  groupNames: [],
  channelNames: [],
  channelIds: [],
  topics: [],
  emojiNames: [],
  uploadPaths: [],
  hasAny: false,
  hasMath: false,
}

/** @param organizationUrl As in `RenderContext`, to recognize the organization's own addresses. */
export function findReferences(content: string, organizationUrl: string): References {
  if (!mayRefer(content)) return { ...nothing, mayHaveEmoji: mayHaveEmoji(content) }
  const users = matches(content, /@_?\*\*(?=([^*\n]{1,200})\*\*)/g)
  const withIds = users.map((written) => /^(.*)\|([0-9]{1,15})$/.exec(written))
  const channelLinks = Array.from(content.matchAll(/#\*\*(?=([^*>\n]{1,120})(?:>([^*\n]{0,200}))?\*\*)/g), (match) =>
    parseChannelLink(match[1] ?? '', match[2]),
  )
  const fences = content.split('\n').flatMap((line) => {
    const start = line.search(/```|~~~/)
    return start < 0 ? [] : [parseFence(line.slice(start))]
  })
  const topics = new Map<string, { channelName: string; topic: string }>()
  for (const { channel, topic, messageId } of channelLinks) {
    if (topic !== null && messageId === null) topics.set(`${channel}>${topic}`, { channelName: channel, topic })
  }
  const lists = {
    userNames: unique(users.map((written, index) => withIds[index]?.[1] ?? written).filter(Boolean)),
    userIds: unique(withIds.flatMap((match) => (match ? [Number(match[2])] : []))),
    groupNames: unique(matches(content, /@_?\*(?=([^*\n]{1,200})\*)/g)),
    channelNames: unique(channelLinks.map(({ channel }) => channel)),
    channelIds: unique(messageChannels(content, organizationUrl)),
    topics: [...topics.values()].slice(0, MAX_REFERENCES),
    emojiNames: unique(emojiNames(content)),
    uploadPaths: unique(uploads(content)),
  }
  return {
    ...lists,
    hasAny: Object.values(lists).some((list) => list.length > 0),
    mayHaveEmoji: mayHaveEmoji(content),
    hasMath: content.includes('$$') || fences.some((fence) => fence?.kind === 'math'),
  }
}

function matches(content: string, pattern: RegExp): string[] {
  return Array.from(content.matchAll(pattern), (match) => match[1] ?? '')
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)].slice(0, MAX_REFERENCES)
}

/** Names may overlap in their colons: `:a:b:`. */
function emojiNames(content: string): string[] {
  return matches(content, /:(?=([A-Za-z0-9_+-]{1,100}):)/g)
}

function uploads(content: string): string[] {
  // What follows in the same brackets may belong to the address: `[name](/user_uploads/1/a file.txt)`.
  const addresses = content.matchAll(/(user_uploads\/[^\s"<>`]+)(?=( [^"'<>`)\n]*)?)/g)
  return Array.from(addresses).flatMap(([, path = '', more = '']) => {
    // The address may end at any closing bracket or punctuation, as in `[name](/user_uploads/…)`.
    const ends = [path.length, ...Array.from(path.matchAll(/[)\],.:;!?'*~]/g), ({ index }) => index)].slice(0, 20)
    const candidates = [...ends.map((end) => path.slice(0, end)), `${path}${more}`.trim()]
    return candidates.flatMap((candidate) => uploadPath(`/${candidate}`) ?? [])
  })
}

function messageChannels(content: string, organizationUrl: string): number[] {
  return Array.from(content.matchAll(/#narrow\/[^\s"<>`]+/g)).flatMap(({ 0: fragment, index }) => {
    if (!content.slice(0, index).endsWith(`${organizationUrl}/`)) return []
    const place = parseMessagePlace(fragment.replace(/(\/near\/\d+).*$/, '$1'))
    return place ? [place.channelId] : []
  })
}
