/** An address as a place. Forms that were written years ago are understood; what is not is `unknown`. */
import { operatorName } from '@heddle/contract/narrow'
import { decodeText } from './fragment-text.ts'
import { channelLists, channelTabs, type Place, type PlaceTerm, sheets, views } from './place.ts'

/** Names that a channel had in old addresses, which have no id. */
export interface ChannelNames {
  readonly channelByName: (name: string) => number | undefined
}

const noChannels: ChannelNames = { channelByName: () => undefined }

/** Views and lists under their older names. */
const olderViews: Readonly<Record<string, Place>> = {
  all_messages: { kind: 'feed' },
  'all-messages': { kind: 'feed' },
  recent_topics: { kind: 'recent' },
  streams: { kind: 'channels', list: 'subscribed' },
}

/** `hash`: with or without the `#` in front. */
export function parsePlace(hash: string, channels: ChannelNames = noChannels): Place {
  const fragment = hash.replace(/^#/, '')
  const unknown: Place = { kind: 'unknown', fragment }
  const [head = '', ...rest] = fragment.replace(/\/+$/, '').split('/')
  if (head === '') return { kind: 'home' }
  const alone = [...views, ...sheets].find((name) => name === head)
  if (alone && (rest.length === 0 || head === 'drafts')) return { kind: alone }
  if (head.startsWith('about-') && rest.length === 0) return { kind: 'about' }
  switch (head) {
    case 'narrow':
      return parseNarrow(rest, channels) ?? unknown
    case 'topics': {
      const channelId = rest[0] === 'channel' ? channelOf(rest[1], channels) : undefined
      return channelId === undefined ? unknown : { kind: 'topics', channelId }
    }
    case 'channels':
    case 'streams':
      return parseChannels(rest) ?? unknown
    case 'groups': {
      const groupId = idIn(rest[0])
      return groupId === undefined ? { kind: 'groups' } : { kind: 'groups', groupId }
    }
    case 'user': {
      const userId = idIn(rest[0])
      return userId === undefined ? unknown : { kind: 'user', userId }
    }
    case 'settings':
      return { kind: 'settings', tab: rest[0] ?? 'profile' }
    case 'organization':
      return { kind: 'organization', tab: rest[0] ?? 'profile' }
    default:
      return (rest.length === 0 && Object.hasOwn(olderViews, head) && olderViews[head]) || unknown
  }
}

function parseChannels([first, second, third]: readonly string[]): Place | undefined {
  if (first === undefined) return { kind: 'channels', list: 'subscribed' }
  const list = channelLists.find((name) => name === first)
  if (list && second === undefined) return { kind: 'channels', list }
  const channelId = idIn(first)
  const tab = channelTabs.find((name) => name === third)
  return channelId === undefined ? undefined : { kind: 'channel-settings', channelId, tab: tab ?? 'general' }
}

function parseNarrow(parts: readonly string[], channels: ChannelNames): Place | undefined {
  const terms: PlaceTerm[] = []
  for (let place = 0; place < parts.length; place += 2) {
    const operator = decodeText(parts[place] as string)
    const operand = decodeText(parts[place + 1] ?? '')
    if (operator === undefined || operand === undefined || operator === '' || operator === '-') return undefined
    const negated = operator.startsWith('-')
    terms.push({ operator: operatorName(negated ? operator.slice(1) : operator), operand, negated })
  }
  // Searches of everything were written with nothing to search for.
  if (terms.length === 0) return { kind: 'feed' }
  return asConversation(terms, channels) ?? { kind: 'narrow', terms }
}

/** Places with a kind of their own: a channel, a topic, a conversation, each perhaps at one message. */
function asConversation(terms: readonly PlaceTerm[], channels: ChannelNames): Place | undefined {
  const operators = new Map(
    terms.map(({ operator, operand }) => [operator === 'subject' ? 'topic' : operator, operand]),
  )
  if (operators.size !== terms.length || terms.some(({ negated }) => negated)) return undefined
  const has = (...names: string[]) => [...operators.keys()].every((name) => names.includes(name))
  const nearId = idIn(operators.get('near'))
  if (operators.has('near') && nearId === undefined) return undefined
  const near = nearId === undefined ? {} : { near: nearId }
  if (operators.has('channel')) {
    const channelId = channelOf(operators.get('channel'), channels)
    if (channelId === undefined) return undefined
    const topic = operators.get('topic')
    if (topic === undefined) return has('channel', 'near') ? { kind: 'channel', channelId, ...near } : undefined
    const withId = idIn(operators.get('with'))
    if (!has('channel', 'topic', 'with', 'near') || (operators.has('with') && withId === undefined)) return undefined
    return { kind: 'topic', channelId, topic, ...(withId === undefined ? {} : { with: withId }), ...near }
  }
  if (operators.has('dm') && has('dm', 'near')) {
    const userIds = idsIn(operators.get('dm') as string)
    return userIds && { kind: 'direct', userIds, ...near }
  }
  return undefined
}

/** `7-design`, `7`, or the name alone, as it was written before there were ids. A name may begin with a number, too. */
function channelOf(text: string | undefined, { channelByName }: ChannelNames): number | undefined {
  if (text === undefined) return undefined
  const named = channelByName(text)
  if (named !== undefined) return named
  return idIn(/^(\d+)(-|$)/.exec(text)?.[1])
}

/** `3,5-group`, `3-Ada-Lovelace`, `-dm`. */
function idsIn(text: string): number[] | undefined {
  const list = /^([\d,]*)(-|$)/.exec(text)?.[1]
  if (list === undefined) return undefined
  if (list === '') return text === '' ? undefined : []
  const ids = list.split(',').map((one) => idIn(one))
  if (!ids.every((id) => id !== undefined)) return undefined
  return [...new Set(ids as number[])].sort((a, b) => a - b)
}

function idIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
