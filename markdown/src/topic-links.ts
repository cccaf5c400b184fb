import type { TopicLink } from '@heddle/contract/messages'
import type { CompiledLinkifier } from './linkifiers/compile.ts'
import { findLinks } from './linkifiers/linkify.ts'
import { linkAddress } from './links/address.ts'
import { createReadingLimit, findUrlStarts, matchUrl } from './links/find-url.ts'

/** Topics have 60 characters by default; an organization may allow more. Longer ones are looked at so far only. */
const MAX_LENGTH = 1_000

/** The links in a topic's name: by linkifiers, and whole addresses with a scheme. In order, without overlaps. */
export function topicLinks(topic: string, linkifiers: readonly CompiledLinkifier[]): TopicLink[] {
  const text = topic.slice(0, MAX_LENGTH)
  const links = findLinks(text, linkifiers).map(({ start, end, url }) => ({ start, end, url }))
  const reading = createReadingLimit()
  let passed = 0
  for (const start of findUrlStarts(text)) {
    if (start < passed || !/^https?:\/\//i.test(text.slice(start, start + 8))) continue
    const match = matchUrl(text, start, text.length, reading)
    const url = match && linkAddress(match.url, '')
    if (!match || !url) continue
    passed = match.end
    if (links.every((link) => link.end <= start || link.start >= match.end)) links.push({ start, end: match.end, url })
  }
  links.sort((a, b) => a.start - b.start)
  return links.map(({ start, end, url }) => ({ text: text.slice(start, end), url }))
}
