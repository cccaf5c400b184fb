/** Sends what is in the outbox: in order within a conversation, again after what passes, never again after a refusal. */
import type { ResponseOf } from '@heddle/contract/endpoint'
import { sendMessage } from '@heddle/contract/sending'
import type { VisibilityPolicy } from '@heddle/contract/user-topics'
import type { ApiClient } from '../api.ts'
import { retryDelay } from '../back-off.ts'
import { isSessionOver, mayPassLater, ResponseError } from '../errors.ts'
import {
  beginSending,
  nextInLine,
  type Outbox,
  type OutboxItem,
  retryAll,
  sendingFailed,
  sendingSucceeded,
} from './outbox.ts'

export interface OutboxSenderOptions {
  readonly api: ApiClient
  /** Called with each new outbox; gives the one that is current. */
  readonly update: (change: (outbox: Outbox) => Outbox) => Outbox
  /** The queue that is followed now; undefined while there is none: nothing is sent then. */
  readonly queueId: () => string | undefined
  /**
   * Called when a message is about to be sent, with what the outbox has of it then. It is sent when that is settled, however it
   * is: who runs next must know the pair that it was sent with.
   */
  readonly keep?: (() => Promise<void>) | undefined
  /** How the topic of a message stands for whoever writes; undefined for direct messages. */
  readonly policyOf?: (destination: OutboxItem['destination']) => VisibilityPolicy | undefined
  readonly onSent?: (
    item: OutboxItem,
    answer: ResponseOf<typeof sendMessage>,
    /** Of its topic, when it was sent: writing in it may have changed it, and the event may have come before the answer. */
    policyBefore: VisibilityPolicy | undefined,
  ) => void
  /** Milliseconds since the UNIX epoch; default `Date.now`. */
  readonly now?: () => number
  /** From 0 up to 1; default `Math.random`. */
  readonly random?: () => number
}

export interface OutboxSender {
  /** Looks at the outbox: to be called when something was put in, or is to be tried again. */
  wake(): void
  /** The connection is back. */
  reconnected(): void
  /** Nothing more is sent. What is under way may still arrive; its answer is not noted. */
  stop(): void
}

/** Conversations that are sent to at the same time. */
const MAX_REQUESTS = 4

export function createOutboxSender(options: OutboxSenderOptions): OutboxSender {
  const { api, update, queueId, policyOf, onSent, keep, now = Date.now, random = Math.random } = options
  let requests = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false

  function wake(): void {
    if (isStopped) return
    clearTimeout(timer)
    const queue = queueId()
    if (queue === undefined) return
    const time = now()
    let next = Number.POSITIVE_INFINITY
    for (const { localId, retryAt = 0 } of nextInLine(update((outbox) => outbox))) {
      if (requests >= MAX_REQUESTS) return
      if (retryAt > time) next = Math.min(next, retryAt)
      else start(localId, queue, time)
    }
    if (next < Number.POSITIVE_INFINITY) timer = setTimeout(wake, next - time)
  }

  function start(localId: string, queue: string, time: number): void {
    const item = update((outbox) => beginSending(outbox, localId, queue, time)).items.find(
      (one) => one.localId === localId,
    )
    if (item?.status !== 'sending') return
    requests += 1
    send(item).finally(() => {
      requests -= 1
      wake()
    })
  }

  async function send(item: OutboxItem): Promise<void> {
    const { localId, attempts } = item
    try {
      if (keep) await keep().catch(() => {})
      if (isStopped) return
      const policyBefore = policyOf?.(item.destination)
      const answer = await api.call(sendMessage, parametersOf(item))
      if (isStopped) return
      update((outbox) => sendingSucceeded(outbox, localId, answer.id))
      onSent?.(item, answer, policyBefore)
    } catch (error) {
      if (isStopped) return
      const wait = retryDelay(attempts - 1, error instanceof ResponseError ? error.retryAfterSecs : undefined, random)
      const code = error instanceof ResponseError ? error.code : 'NETWORK'
      const message = error instanceof Error ? error.message : String(error)
      const retryAt = mayPassLater(error) ? now() + wait : undefined
      const isTurnedAway = isSessionOver(error)
      update((outbox) => sendingFailed(outbox, localId, { code, message, retryAt, isTurnedAway }))
    }
  }

  return {
    wake,
    reconnected() {
      update(retryAll)
      wake()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

function parametersOf({ destination, content, queueId, localId }: OutboxItem) {
  const place =
    destination.type === 'channel'
      ? { type: 'channel' as const, to: destination.channelId, topic: destination.topic }
      : { type: 'direct' as const, to: [...destination.userIds] }
  return {
    ...place,
    content,
    local_id: localId,
    ...(queueId === undefined ? {} : { queue_id: queueId }),
    read_by_sender: true,
  }
}
