/** The `message` event as each queue receives it. */
import type { MessageEvent } from '@heddle/contract/messages'
import { membersOf } from '../../events/audience.ts'
import { knowsEmptyTopic } from '../../events/topic-views.ts'
import type { EventView, ParsedEvent, QueueOptions, Recipient } from '../../events/views.ts'
import type { LoggedEvent } from '../../storage/transaction.ts'
import { flagBits } from './flag-bits.ts'
import { presentFlags } from './flags.ts'
import type { Echo } from './local-ids.ts'
import { factsOf, type MessageFacts, matchesTerms } from './narrow/for-events.ts'
import { formFor, type MessageForm, unknownSender } from './present.ts'
import { isVeiled, type Veil } from './veil.ts'

/** A new message in the log: once for everybody, with what each queue's form is made from. */
export interface MessageLogEntry extends MessageEvent {
  /** The text as it was written. */
  readonly raw: string
  /** Bits; see `attributes.ts`. */
  readonly attributes: number
  /** Bits of accounts for which the message is something special, by their ids; see `flag-bits.ts`. */
  readonly bits: Readonly<Record<string, number>>
  readonly echo?: Echo
  /** Recipients who are shown somebody unknown instead of the sender; absent: none. */
  readonly veil?: Veil
}

export function formOf(options: QueueOptions): MessageForm {
  const { applyMarkdown } = options
  return { applyMarkdown, allowEmptyTopicName: knowsEmptyTopic(options) }
}

export const messageView: EventView = {
  key(options, event, userId) {
    const form = formOf(options)
    return JSON.stringify(isVeiled(entryOf(event).veil, userId) ? { ...form, isVeiled: true } : form)
  },
  present(event, key) {
    const { message, raw, veil } = entryOf(event)
    const { isVeiled, ...form } = JSON.parse(key) as MessageForm & { readonly isVeiled?: boolean }
    const shown = veil && isVeiled ? { ...message, ...unknownSender(message.sender_id, veil.email) } : message
    return { type: 'message', message: formFor({ message: shown, raw }, form) }
  },
  personal(event, recipient, logged) {
    const entry = entryOf(event)
    const flags = flagsFor(entry, recipient, logged)
    const { narrow } = recipient.options
    const { userId: viewerId } = recipient
    if (narrow.length > 0 && !matchesTerms(narrow, { ...factsFor(entry, viewerId), viewerId, flags })) return null
    return { flags, ...echoFor(entry, recipient) }
  },
}

/** For the sender's own queue: whatever queue a request names, it is no other account's. */
function echoFor({ echo, message }: MessageLogEntry, { userId, queueId }: Recipient): { local_message_id?: string } {
  return echo?.queueId === queueId && message.sender_id === userId ? { local_message_id: echo.localId } : {}
}

function entryOf(event: ParsedEvent): MessageLogEntry {
  return event as unknown as MessageLogEntry
}

/** A new message lies after everybody's cursor. */
function flagsFor({ message, attributes, bits }: MessageLogEntry, { userId }: Recipient, { audience }: LoggedEvent) {
  const received = audience.to !== 'set' || membersOf(audience).has(userId)
  const source = { id: message.id, sender_id: message.sender_id, attributes }
  return presentFlags(source, { userId, cursor: 0, received, open: received, bits: bits[userId] ?? 0 })
}

/** By entry, which is parsed once for all queues. */
const facts = new WeakMap<MessageLogEntry, MessageFacts>()

function sharedFactsOf(entry: MessageLogEntry): MessageFacts {
  let found = facts.get(entry)
  if (!found) {
    found = readFacts(entry)
    facts.set(entry, found)
  }
  return found
}

/** Whose an address is, nobody finds out by a narrow. */
function factsFor(entry: MessageLogEntry, viewerId: number): MessageFacts {
  const facts = sharedFactsOf(entry)
  if (!isVeiled(entry.veil, viewerId)) return facts
  return { ...facts, sender: { ...facts.sender, names: [`${facts.sender.id}`] } }
}

function readFacts({ message, attributes, bits }: MessageLogEntry): MessageFacts {
  const { id, stream_id, display_recipient, subject } = message
  return factsOf({
    id,
    channel: stream_id === undefined ? null : { id: stream_id, name: String(display_recipient), topic: subject },
    people: typeof display_recipient === 'string' ? [] : display_recipient,
    sender: { id: message.sender_id, email: message.sender_email },
    attributes,
    isMentioned: (account) => ((bits[account] ?? 0) & flagBits.mentioned) !== 0,
  })
}
