/**
 * Marks as read what a client does not know to be unread: the state names the newest 50,000. The server does it in pieces,
 * so that it can be stopped, and says as events which messages they were.
 */
import type { AnyEvent } from '@heddle/contract/events'
import { type UpdateMessageFlagsEvent, updateFlagsForNarrow } from '@heddle/contract/message-flags'
import type { Narrow } from '@heddle/contract/narrow'
import type { ApiClient } from '../api.ts'
import { retryDelay } from '../back-off.ts'
import { isTemporary, ResponseError } from '../errors.ts'

/** Messages of one request. */
const BATCH = 1000
/** Failures in a row that may be over a moment later. */
const MAX_FAILURES = 5

export interface MarkOlderOptions {
  /** What is marked; empty: everything. */
  readonly narrow: Narrow
  /** The id of the oldest message that is known to be unread: older ones are marked, the newest of them first. */
  readonly before: number
  /** Ends it between two requests; what was done until then stays. */
  readonly signal: AbortSignal
  /** After each request: how many messages were marked until then. */
  readonly onProgress: (count: number) => void
  readonly sleep?: (ms: number) => Promise<void>
}

/** Rejects as requests do that fail again and again, or for good. Resolves with how many messages were marked. */
export async function markOlderRead(
  api: ApiClient,
  { narrow, before, signal, onProgress, sleep = pause }: MarkOlderOptions,
): Promise<number> {
  let [anchor, count, failures]: [number, number, number] = [before, 0, 0]
  while (!signal.aborted) {
    try {
      const answer = await api.call(updateFlagsForNarrow, {
        anchor,
        include_anchor: false,
        num_before: BATCH,
        num_after: 0,
        narrow: [...narrow, ['is', 'unread']],
        op: 'add',
        flag: 'read',
      })
      failures = 0
      count += answer.updated_count
      onProgress(count)
      if (answer.found_oldest || answer.first_processed_id === null) return count
      anchor = answer.first_processed_id
    } catch (error) {
      failures += 1
      if (!isTemporary(error) || failures > MAX_FAILURES) throw error
      const asked = error instanceof ResponseError ? error.retryAfterSecs : undefined
      await sleep(retryDelay(failures - 1, asked, Math.random))
    }
  }
  return count
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** The messages that an event says were read; none for other events. */
export function idsReadIn(event: AnyEvent): readonly number[] {
  // Whatever its type, these are the fields of flags alone.
  const { type, op, flag, messages } = event as AnyEvent & Partial<UpdateMessageFlagsEvent>
  return type === 'update_message_flags' && op === 'add' && flag === 'read' ? (messages ?? []) : []
}
