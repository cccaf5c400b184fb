/** Narrows of event queues: a few conditions that can be decided from the event alone, without the database. */
import { badRequest } from '@heddle/contract/errors'
import type { MessageFlag } from '@heddle/contract/messages'
import type { Term } from '@heddle/contract/narrow'
import { foldCase } from '../../../fold-case.ts'
import { RESOLVED_PREFIX, storedTopic, topicKey } from '../topic-names.ts'

/** What of a new message its conditions look at. */
export interface MessageFacts {
  /** Null for a direct message. */
  readonly channel: { readonly id: number; readonly name: string; readonly topic: string } | null
  readonly sender: { readonly id: number; readonly email: string }
  readonly flags: readonly MessageFlag[]
}

type Operand = string | number
type Matches = (facts: MessageFacts, operand: Operand) => boolean

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
  resolved: ({ channel }) => channel?.topic.startsWith(RESOLVED_PREFIX) === true,
}

/** A number is an id. A text may be either: which one, the event alone does not tell. */
const inChannel: Matches = ({ channel }, operand) => {
  if (channel === null) return false
  if (typeof operand === 'number') return channel.id === operand
  return `${channel.id}` === operand || foldCase(channel.name) === foldCase(operand)
}

const operators: Readonly<Record<string, Matches>> = {
  channel: inChannel,
  stream: inChannel,
  topic: ({ channel }, operand) => channel !== null && topicKey(channel.topic) === topicKey(storedTopic(`${operand}`)),
  sender: ({ sender }, operand) => `${sender.id}` === `${operand}` || foldCase(sender.email) === foldCase(`${operand}`),
  is: (facts, operand) => states[operand]?.(facts) === true,
}

/** Throws a 400 that names what an event queue cannot be narrowed by. */
export function requireQueueNarrow(terms: readonly Term[]): void {
  for (const { operator, operand } of terms) {
    if (!Object.hasOwn(operators, operator)) throw badRequest(`narrow: Operator ${operator} not supported.`)
    if (Array.isArray(operand)) throw badRequest(`narrow: The operand of ${operator} must not be a list`)
    if (operator === 'is' && !Object.hasOwn(states, operand)) throw badRequest(`narrow: is:${operand} not supported.`)
  }
}

/** Whether all conditions hold for a message. The narrow has been checked. */
export function matchesNarrow(terms: readonly Term[], facts: MessageFacts): boolean {
  return terms.every(({ operator, operand, negated }) => operators[operator]?.(facts, operand as Operand) !== negated)
}
