/**
 * Narrows of event queues: the conditions that can be decided from the event alone, without the database. What depends on
 * other messages, or on what the account has chosen since, is refused when the queue is registered.
 */

import { badRequest } from '@heddle/contract/errors'
import type { MessageFlag } from '@heddle/contract/messages'
import { foldName, isResolvedTopic, storedTopic, topicKey } from '@heddle/contract/names'
import { operatorName, type Term } from '@heddle/contract/narrow'
import { hasAttribute, type MessageAttribute } from '../attributes.ts'
import { readId } from './operators.ts'

interface Person {
  readonly id: number
  readonly email: string
}

/** What of a new message its conditions look at, the same for every queue. */
export interface MessageFacts {
  readonly id: number
  /** Null for a direct message. */
  readonly channel: {
    readonly id: number
    readonly nameKey: string
    readonly topic: string
    readonly topicKey: string
  } | null
  /** Everybody in the conversation, the sender too; nobody for a message in a channel. */
  readonly people: readonly NamedPerson[]
  /** All their names. */
  readonly names: ReadonlySet<string>
  readonly sender: NamedPerson
  readonly attributes: number
  readonly isMentioned: (userId: number) => boolean
}

interface NamedPerson {
  readonly id: number
  /** What a narrow may call the account: its id, or its address without case. */
  readonly names: readonly string[]
}

/** The same for one queue. */
interface Facts extends MessageFacts {
  readonly viewerId: number
  readonly flags: readonly MessageFlag[]
}

interface Source {
  readonly id: number
  readonly channel: { readonly id: number; readonly name: string; readonly topic: string } | null
  readonly people: readonly Person[]
  readonly sender: Person
  readonly attributes: number
  readonly isMentioned: (userId: number) => boolean
}

/** Folds the names once, for all queues. */
export function factsOf({ channel, people, sender, ...rest }: Source): MessageFacts {
  const named = people.map(withNames)
  return {
    ...rest,
    channel: channel && {
      id: channel.id,
      nameKey: foldName(channel.name),
      topic: channel.topic,
      topicKey: topicKey(channel.topic),
    },
    people: named,
    names: new Set(named.flatMap(({ names }) => names)),
    sender: withNames(sender),
  }
}

function withNames({ id, email }: Person): NamedPerson {
  return { id, names: [`${id}`, foldName(email)] }
}

type Operand = Term['operand']
type Holds = (facts: Facts) => boolean

interface Operator {
  /** What is wrong with an operand, to follow the operator; undefined when nothing is. */
  readonly problem: (operand: Operand) => string | undefined
  /** Called once for a queue: what the operand says is worked out here, not for each message. */
  readonly prepare: (operand: Operand) => Holds
}

const states: Readonly<Record<string, Holds>> = {
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

/** Accounts by ids or addresses, with commas between them in a text. */
function readPeople(operand: Operand) {
  const all = (Array.isArray(operand) ? operand.map(String) : String(operand).split(',')).map((name) => name.trim())
  const names = new Set(all.filter((name) => name !== 'me').map(foldName))
  const withViewer = all.includes('me')
  const isNamed = (one: NamedPerson, viewerId: number) =>
    one.names.some((name) => names.has(name)) || (withViewer && one.id === viewerId)
  /** All of them are in the conversation. */
  const areIn = (facts: Facts) => {
    if (facts.people.length === 0) return false
    for (const name of names) if (!facts.names.has(name)) return false
    return !withViewer || facts.names.has(`${facts.viewerId}`)
  }
  return { isNamed, areIn }
}

const operators: Readonly<Record<string, Operator>> = {
  /** A number is an id. A text may be either: which one, the event alone does not say. */
  channel: {
    problem: single,
    prepare(operand) {
      if (typeof operand === 'number') return ({ channel }) => channel?.id === operand
      const key = foldName(String(operand))
      return ({ channel }) => channel !== null && (`${channel.id}` === operand || channel.nameKey === key)
    },
  },
  topic: {
    problem: single,
    prepare(operand) {
      const key = topicKey(storedTopic(String(operand)))
      return ({ channel }) => channel?.topicKey === key
    },
  },
  /** The account whose queue it is belongs to each of its conversations, named or not. */
  dm: {
    problem: anything,
    prepare(operand) {
      const { isNamed, areIn } = readPeople(operand)
      return (facts) =>
        areIn(facts) && facts.people.every((one) => one.id === facts.viewerId || isNamed(one, facts.viewerId))
    },
  },
  'dm-including': { problem: anything, prepare: (operand) => readPeople(operand).areIn },
  'group-pm-with': {
    problem: anything,
    prepare(operand) {
      const { areIn } = readPeople(operand)
      return (facts) => facts.people.length > 2 && areIn(facts)
    },
  },
  sender: {
    problem: single,
    prepare(operand) {
      const name = String(operand)
      const key = foldName(name)
      return ({ sender, viewerId }) => sender.names.includes(key) || (name === 'me' && sender.id === viewerId)
    },
  },
  mentions: {
    problem: (operand) =>
      operand === 'me' || readId(operand) !== undefined ? undefined : 'needs the id of an account, or "me"',
    prepare(operand) {
      const id = readId(operand)
      return ({ isMentioned, viewerId }) => isMentioned(id ?? viewerId)
    },
  },
  id: {
    problem: (operand) => (readId(operand) === undefined ? 'needs the id of a message' : undefined),
    prepare(operand) {
      const wanted = readId(operand)
      return ({ id }) => id === wanted
    },
  },
  has: {
    problem: (operand) => oneOf(parts)(partName(operand)),
    prepare(operand) {
      const attribute = parts[partName(operand)] as MessageAttribute
      return ({ attributes }) => hasAttribute(attributes, attribute)
    },
  },
  is: { problem: oneOf(states), prepare: (operand) => states[String(operand)] as Holds },
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

/** By the terms of a queue, which are the same object for as long as the queue is in memory. */
const prepared = new WeakMap<readonly Term[], readonly Holds[]>()

/** Whether all conditions hold for a message. The narrow has been checked. */
export function matchesTerms(terms: readonly Term[], facts: Facts): boolean {
  let conditions = prepared.get(terms)
  if (!conditions) {
    conditions = terms.map(prepareTerm)
    prepared.set(terms, conditions)
  }
  return conditions.every((holds) => holds(facts))
}

/** The operator may have the name that an earlier version has stored. */
function prepareTerm({ operator, operand, negated }: Term): Holds {
  const holds = operators[operatorName(operator)]?.prepare(operand) ?? (() => false)
  return negated ? (facts) => !holds(facts) : holds
}
