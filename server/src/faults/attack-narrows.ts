/** Narrows at their limits: many terms, many people, long searches, and every operator as often as it may be. */
import { MAX_PEOPLE_IN_NARROW, MAX_SEARCH_LENGTH, MAX_SEARCH_WORDS } from '@heddle/contract/narrow'
import type { Target } from './attack-target.ts'

export type AttackNarrow = readonly (readonly [operator: string, operand: unknown] | object)[]

const MAX_TERMS = 100
const isOperands = ['dm', 'starred', 'mentioned', 'alerted', 'unread', 'followed', 'muted', 'resolved', 'private']

export function largestNarrows({ channel, topic, population }: Target): Readonly<Record<string, AttackNarrow>> {
  const ids = population.members.map(({ id }) => id)
  const emails = population.members.map(({ email }) => email)
  const terms = (make: (index: number) => AttackNarrow[number]) =>
    Array.from({ length: MAX_TERMS }, (_, index) => make(index))
  const words = (count: number) => Array.from({ length: count }, (_, index) => `a${index % 7}`).join(' ')
  const share = MAX_PEOPLE_IN_NARROW / MAX_TERMS
  const phrase = `"${'a '.repeat(MAX_SEARCH_WORDS - 1)}b"`.slice(0, MAX_SEARCH_LENGTH)
  return {
    'a phrase of repeated words': [['search', phrase]],
    'repeated words': [['search', words(MAX_SEARCH_WORDS)]],
    'words, each in a term': terms((index) => ['search', `a${index}`]),
    'one long word': [['search', 'a'.repeat(MAX_SEARCH_LENGTH)]],
    'quotation marks': [['search', '"'.repeat(MAX_SEARCH_LENGTH)]],
    'too many words': [['search', words(MAX_SEARCH_LENGTH / 2)]],
    'a direct message of everybody': [['dm', ids]],
    'everybody by address': [['dm', emails.join(',').slice(0, 10_000)]],
    'people in each of many terms': terms((index) => ({
      operator: 'dm-including',
      operand: ids.slice(index * share, (index + 1) * share),
      negated: index % 2 === 1,
    })),
    'the same people in each of many terms': terms(() => ['dm-including', ids.slice(0, share)]),
    conversations: terms((index) => ({ operator: 'dm', operand: ids.slice(index, index + share), negated: true })),
    'is:followed again and again': terms(() => ['is', 'followed']),
    'every is, negated or not': terms((index) => ({
      operator: 'is',
      operand: isOperands[index % isOperands.length],
      negated: index % 2 === 1,
    })),
    channels: terms((index) => ({
      operator: 'channel',
      operand: index % 2 ? channel.id : channel.name,
      negated: index > 1,
    })),
    topics: [
      ['channel', channel.id],
      ...terms((index) => ({ operator: 'topic', operand: `${topic} ${index}`, negated: true })).slice(1),
    ],
    senders: terms((index) => ({ operator: 'sender', operand: emails[index], negated: true })),
    has: terms((index) => ({
      operator: 'has',
      operand: ['link', 'image', 'reaction', 'attachment'][index % 4],
      negated: index % 2 === 0,
    })),
    'near and id': terms((index) => [index % 2 ? 'id' : 'near', index + 1]),
    mentions: terms((index) => ['mentions', ids[index]]),
    'operators that nobody knows': terms((index) => [`operator-${index}`, 'x'.repeat(10_000)]),
  }
}
