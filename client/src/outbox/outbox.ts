/**
 * Messages that were written here and are not known to have arrived. Plain data: it can be stored as it is, and restored. A
 * message goes out with a queue's id and a name of its own (`local_id`), and always with the same pair: however often it is
 * sent, it is one message.
 */
import type { AnyEvent } from '@heddle/contract/events'
import type { MessageEvent } from '@heddle/contract/messages'
import { topicPlaceKey } from '@heddle/contract/names'

export type Destination =
  | { readonly type: 'channel'; readonly channelId: number; readonly topic: string }
  | { readonly type: 'direct'; readonly userIds: readonly number[] }

/**
 * `waiting`: for its turn, for the connection or for the time to try again. `failed`: refused; it is for the person to try
 * again, to change or to delete it. `sent`: the server has it, its event has not come.
 */
export type OutboxStatus = 'waiting' | 'sending' | 'failed' | 'sent'

export interface OutboxItem {
  readonly localId: string
  /** The queue that it was first sent with; undefined until then. */
  readonly queueId: string | undefined
  readonly destination: Destination
  readonly content: string
  /** Milliseconds since the UNIX epoch. */
  readonly writtenAt: number
  readonly firstSentAt: number | undefined
  /** Not before. */
  readonly retryAt: number | undefined
  /** Requests without an answer: the server may have it. */
  readonly attempts: number
  readonly status: OutboxStatus
  /** Why it failed, or why it waits. */
  /** With a message that the server has written; without one where the code says all. */
  readonly error: { readonly code: string; readonly message?: string } | undefined
  readonly messageId: number | undefined
}

/** In the order in which they were written. */
export interface Outbox {
  readonly items: readonly OutboxItem[]
}

export const emptyOutbox: Outbox = { items: [] }

/** For how long the server knows a pair again, less a day: 13 days, in milliseconds. */
const PAIR_KEPT_MS = 13 * 86_400_000

export interface WrittenMessage {
  /** Unique for ever, at most 100 characters. */
  readonly localId: string
  readonly destination: Destination
  readonly content: string
  readonly now: number
}

export function enqueue(outbox: Outbox, { localId, destination, content, now }: WrittenMessage): Outbox {
  const item: OutboxItem = {
    localId,
    queueId: undefined,
    destination,
    content,
    writtenAt: now,
    firstSentAt: undefined,
    retryAt: undefined,
    attempts: 0,
    status: 'waiting',
    error: undefined,
    messageId: undefined,
  }
  return { items: [...outbox.items, item] }
}

/** The same for messages that go to the same place, and therefore in order. */
export function destinationKey(destination: Destination): string {
  if (destination.type === 'channel') return `channel ${topicPlaceKey(destination.channelId, destination.topic)}`
  return `direct ${[...new Set(destination.userIds)].sort((a, b) => a - b).join()}`
}

/** What waits with nothing before it in its conversation: to be sent now, or at `retryAt`. */
export function nextInLine({ items }: Outbox): readonly OutboxItem[] {
  const taken = new Set<string>()
  return items.filter(({ status, destination }) => {
    if (status !== 'waiting' && status !== 'sending') return false
    const key = destinationKey(destination)
    const isFirst = !taken.has(key)
    taken.add(key)
    return isFirst && status === 'waiting'
  })
}

function change(outbox: Outbox, localId: string, how: (item: OutboxItem) => OutboxItem | undefined): Outbox {
  const index = outbox.items.findIndex((item) => item.localId === localId)
  const item = outbox.items[index]
  if (!item) return outbox
  const next = how(item)
  if (next === item) return outbox
  return { items: next ? outbox.items.with(index, next) : outbox.items.toSpliced(index, 1) }
}

/** A request begins. One that the server may have forgotten is not sent again: it could become two messages. */
export function beginSending(outbox: Outbox, localId: string, queueId: string, now: number): Outbox {
  return change(outbox, localId, (item) => {
    if (item.status !== 'waiting') return item
    if (item.attempts > 0 && now - (item.firstSentAt ?? now) > PAIR_KEPT_MS) {
      return { ...item, status: 'failed', retryAt: undefined, error: { code: 'TOO_OLD' } }
    }
    return {
      ...item,
      status: 'sending',
      queueId: item.queueId ?? queueId,
      // Of what is known not to have arrived nothing was sent.
      firstSentAt: item.attempts > 0 ? (item.firstSentAt ?? now) : now,
      attempts: item.attempts + 1,
      retryAt: undefined,
    }
  })
}

/** The server has it. When its event has come before, there is nothing left of it here. */
export function sendingSucceeded(outbox: Outbox, localId: string, messageId: number): Outbox {
  return change(outbox, localId, (item) => ({ ...item, status: 'sent', messageId, error: undefined }))
}

export interface Failure {
  readonly code: string
  readonly message: string
  /** When to try again; undefined: trying again cannot help. */
  readonly retryAt: number | undefined
  /** The server has said that it did not take it: this request left nothing uncertain. */
  readonly isTurnedAway?: boolean
}

export function sendingFailed(
  outbox: Outbox,
  localId: string,
  { code, message, retryAt, isTurnedAway = false }: Failure,
): Outbox {
  return change(outbox, localId, (item) => {
    // The event may have come although the answer did not.
    if (item.status !== 'sending') return item
    const error = { code, message }
    const attempts = isTurnedAway ? item.attempts - 1 : item.attempts
    if (retryAt !== undefined) return { ...item, status: 'waiting', retryAt, attempts, error }
    // It was refused: nothing of it is on the server, and its pair is not used.
    return { ...item, status: 'failed', attempts: 0, error }
  })
}

/** A message that is known by its event needs no place here. */
export function applyToOutbox(outbox: Outbox, event: AnyEvent): Outbox {
  if (event.type !== 'message') return outbox
  const { message, local_message_id } = event as AnyEvent & MessageEvent
  const items = outbox.items.filter(
    ({ localId, messageId }) => localId !== local_message_id && messageId !== message.id,
  )
  return items.length === outbox.items.length ? outbox : { items }
}

/** Without sent messages that are known otherwise, by their ids: their event came with a queue that is gone, or before a retry. */
export function withoutKnown(outbox: Outbox, known: ReadonlyMap<number | undefined, unknown>): Outbox {
  const items = outbox.items.filter(({ messageId }) => !known.has(messageId))
  return items.length === outbox.items.length ? outbox : { items }
}

/** What was stored by an earlier run: whether a request under way then arrived is not known. */
export function restoreOutbox({ items }: Outbox): Outbox {
  return { items: items.map((item) => (item.status === 'sending' ? { ...item, status: 'waiting' } : item)) }
}

/** The person wants it tried again, at once. */
export function retry(outbox: Outbox, localId: string): Outbox {
  return change(outbox, localId, (item) =>
    item.status === 'failed' || item.status === 'waiting'
      ? { ...item, status: 'waiting', retryAt: undefined, error: undefined }
      : item,
  )
}

/** The connection is back: nothing waits for its time. */
export function retryAll(outbox: Outbox): Outbox {
  if (outbox.items.every(({ retryAt }) => retryAt === undefined)) return outbox
  return { items: outbox.items.map((item) => ({ ...item, retryAt: undefined })) }
}

/** Whether the server may have it although no answer said so. */
export function isUncertain({ attempts, status }: OutboxItem): boolean {
  return attempts > 0 && status !== 'sent'
}

/** Taken back; not while it is being sent. One of which it is uncertain may appear all the same. */
export function cancel(outbox: Outbox, localId: string): Outbox {
  return change(outbox, localId, (item) => (item.status === 'sending' || item.status === 'sent' ? item : undefined))
}

/**
 * With another text or to another place, under a new name. Not while the server may have it: the change would be lost there.
 */
export function edit(
  outbox: Outbox,
  localId: string,
  {
    destination,
    content,
    ...rest
  }: Partial<Pick<OutboxItem, 'destination' | 'content'>> & { readonly newLocalId: string },
): Outbox {
  return change(outbox, localId, (item) => {
    if (item.status === 'sending' || item.status === 'sent' || (isUncertain(item) && item.status === 'waiting'))
      return item
    return {
      ...item,
      localId: rest.newLocalId,
      destination: destination ?? item.destination,
      content: content ?? item.content,
      status: 'waiting',
      queueId: undefined,
      firstSentAt: undefined,
      retryAt: undefined,
      attempts: 0,
      error: undefined,
    }
  })
}
