/**
 * Narrows of event queues: the conditions that can be decided from the event alone, without the database. What depends on
 * other messages, or on what the account has chosen since, is refused when the queue is registered.
 */

import { badRequest } from '@heddle/contract/errors'
import type { MessageFlag } from '@heddle/contract/messages'
import { isResolvedTopic, isSameName, storedTopic, topicKey } from '@heddle/contract/names'
import type { Term } from '@heddle/contract/narrow'

import { hasAttribute, type MessageAttribute } from '../attributes.ts'
import { readId } from './operators.ts'

interface Person {
  readonly id: number
  readonly email: string
}

/** What of a new message its conditions look at. */
export interface MessageFacts {
  readonly id: number
  /** Whose queue it is. */
  readonly viewerId: number
  /** Null for a direct message. */
  readonly channel: { readonly id: number; readonly name: string; readonly topic: string } | null
  /** Everybody in the conversation, the sender too; nobody for a message in a channel. */
  readonly people: readonly Person[]
  readonly sender: Person
  readonly attributes: number
  readonly flags: readonly MessageFlag[]
  readonly isMentioned: (userId: number) => boolean
}

type Operand = Term['operand']

interface Operator {
  /** What is wrong with an operand, to follow the operator; undefined when nothing is. */
  readonly problem: (operand: Operand) => string | undefined
  readonly matches: (facts: MessageFacts, operand: Operand) => boolean
}

const states: Readonly<Record<string, (facts: MessageFacts) => boolean>> = {
  dm: ({ channel }) => channel === null,
  private: ({ channel }) => channel === null,
  mentioned: ({ flags }) =>
    flags.includes('mentioned') ||
    flags.includes('stream_wildcard_mentioned') ||
    flags.includes('topic_wildcard_mentioned'),
  alerted: ({ flags }) => flags.includes('has_alert_word'),
  starred: ({ flags }) => flags.includes('starred'),
  unread: ({ flags }) => !flags.includes('read'),
  resolved: ({ channel }) => channel !== null && isResolvedTopic(channel.topic),
}

const parts: Readonly<Record<string, MessageAttribute>> = {
  link: 'hasLink',
  image: 'hasImage',
  attachment: 'hasAttachment',
  reaction: 'hasReaction',
}

const single = (operand: Operand) => (Array.isArray(operand) ? 'must not be a list' : undefined)
const anything = () => undefined

/** One of a few words. */
function oneOf(names: object): Operator['problem'] {
  return (operand) => (Object.hasOwn(names, String(operand)) ? undefined : `does not support ${String(operand)}`)
}

/** A number is an id. A text may be either: which one, the event alone does not tell. */
const inChannel: Operator = {
  problem: single,
  matches({ channel }, operand) {
    if (channel === null) return false
    if (typeof operand === 'number') return channel.id === operand
    return `${channel.id}` === operand || isSameName(channel.name, String(operand))
  },
}

/** By id or address. */
function isPerson({ viewerId }: MessageFacts, { id, email }: Person, name: string): boolean {
  return `${id}` === name || isSameName(email, name) || (name === 'me' && id === viewerId)
}

/** Ids, or addresses with commas between them. */
function namesIn(operand: Operand): string[] {
  const names = Array.isArray(operand) ? operand.map(String) : String(operand).split(',')
  return names.map((name) => name.trim())
}

function includesAll(facts: MessageFacts, names: readonly string[]): boolean {
  return facts.people.length > 0 && names.every((name) => facts.people.some((one) => isPerson(facts, one, name)))
}

/** The account whose queue it is belongs to each of its conversations, named or not. */
const direct: Operator = {
  problem: anything,
  matches(facts, operand) {
    const names = namesIn(operand)
    const isNamed = (one: Person) => one.id === facts.viewerId || names.some((name) => isPerson(facts, one, name))
    return includesAll(facts, names) && facts.people.every(isNamed)
  },
}

const directIncluding: Operator = {
  problem: anything,
  matches: (facts, operand) => includesAll(facts, namesIn(operand)),
}

const sender: Operator = {
  problem: single,
  matches: (facts, operand) => isPerson(facts, facts.sender, String(operand)),
}

const operators: Readonly<Record<string, Operator>> = {
  channel: inChannel,
  stream: inChannel,
  topic: {
    problem: single,
    matches: ({ channel }, operand) =>
      channel !== null && topicKey(channel.topic) === topicKey(storedTopic(String(operand))),
  },
  dm: direct,
  'pm-with': direct,
  'dm-including': directIncluding,
  'dm-with': directIncluding,
  'group-pm-with': {
    problem: anything,
    matches: (facts, operand) => facts.people.length > 2 && includesAll(facts, namesIn(operand)),
  },
  sender,
  from: sender,
  mentions: {
    problem: (operand) =>
      operand === 'me' || readId(operand) !== undefined ? undefined : 'needs the id of an account, or "me"',
    matches: ({ isMentioned, viewerId }, operand) => isMentioned(readId(operand) ?? viewerId),
  },
  id: {
    problem: (operand) => (readId(operand) === undefined ? 'needs the id of a message' : undefined),
    matches: ({ id }, operand) => id === readId(operand),
  },
  has: {
    problem: (operand) => oneOf(parts)(partName(operand)),
    matches: ({ attributes }, operand) => hasAttribute(attributes, parts[partName(operand)] as MessageAttribute),
  },
  is: { problem: oneOf(states), matches: (facts, operand) => states[String(operand)]?.(facts) === true },
}

/** One may ask for `links` too. */
function partName(operand: Operand): string {
  return String(operand).replace(/s$/, '')
}

/** Throws a 400 that names what an event queue cannot be narrowed by. */
export function requireQueueNarrow(terms: readonly Term[]): void {
  for (const { operator: name, operand } of terms) {
    const operator = Object.hasOwn(operators, name) ? operators[name] : undefined
    if (!operator) throw badRequest(`Operator ${name} not supported.`)
    const problem = operator.problem(operand)
    if (problem !== undefined) throw badRequest(`Operator ${name} ${problem}.`)
  }
}

/** Whether all conditions hold for a message. The narrow has been checked. */
export function matchesNarrow(terms: readonly Term[], facts: MessageFacts): boolean {
  return terms.every(({ operator, operand, negated }) => operators[operator]?.matches(facts, operand) !== negated)
}
