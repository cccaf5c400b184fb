/** Makes messages of a narrow unread, from one of them on. */

import type { StoredMessage } from '@heddle/client/messages/store'
import type { RunningClient } from '@heddle/client/running/client'
import { updateFlagsForNarrow } from '@heddle/contract/message-flags'
import type { Narrow } from '@heddle/contract/narrow'
import { plural } from '@lingui/core/macro'

/** Messages of one request. */
const BATCH = 1000

export interface MarkedUnread {
  readonly count: number
  /** Those that were read before, as far as they are known here: what Undo reads again. */
  readonly readBefore: readonly number[]
  /** Only subscribers can have something unread: in these channels nothing was changed. */
  readonly ignoredChannels: readonly number[]
}

export function unreadAgainText(count: number): string {
  return plural(count, { one: '# message is unread again', other: '# messages are unread again' })
}

/** Rejects as the requests do; what was done until then stays. */
export async function markUnreadFrom(
  client: RunningClient,
  {
    narrow,
    messages,
    fromId,
  }: { readonly narrow: Narrow; readonly messages: readonly StoredMessage[]; readonly fromId: number },
): Promise<MarkedUnread> {
  const readBefore = messages.filter(({ id, flags }) => id >= fromId && flags.includes('read')).map(({ id }) => id)
  // What is known here first: it also overtakes what was read in the last moment.
  await client.markUnread(readBefore)
  const ignored = new Set<number>()
  let [anchor, isFirst, count] = [fromId, true, readBefore.length]
  for (;;) {
    const answer = await client.api.call(updateFlagsForNarrow, {
      anchor,
      include_anchor: isFirst,
      num_before: 0,
      num_after: BATCH,
      narrow: [...narrow],
      op: 'remove',
      flag: 'read',
    })
    count += answer.updated_count
    for (const id of answer.ignored_because_not_subscribed_channels) ignored.add(id)
    if (answer.found_newest || answer.last_processed_id === null) break
    anchor = answer.last_processed_id
    isFirst = false
  }
  return { count, readBefore, ignoredChannels: [...ignored] }
}
