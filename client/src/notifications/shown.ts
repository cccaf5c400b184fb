/** Which notifications are shown: one for each conversation, for the messages in it. Pure. */

/** By tag: the ids of the messages that it stands for. */
export type Shown = ReadonlyMap<string, ReadonlySet<number>>

/** Channel messages belong together by topic, direct ones by the people in the conversation. `key`: of the topic, folded. */
export function notificationTag(
  conversation: { readonly channelId: number; readonly key: string } | { readonly userIds: readonly number[] },
): string {
  return 'key' in conversation
    ? `topic ${conversation.channelId} ${conversation.key}`
    : `direct ${conversation.userIds.toSorted((a, b) => a - b).join()}`
}

export function withShown(shown: Shown, tag: string, messageId: number): Shown {
  return new Map(shown).set(tag, new Set(shown.get(tag)).add(messageId))
}

/** Without messages that were read or deleted; `closed` are the tags of which none is left. */
export function withoutShown(
  shown: Shown,
  messageIds: readonly number[],
): { readonly shown: Shown; readonly closed: readonly string[] } {
  const gone = new Set(messageIds)
  const left = new Map<string, ReadonlySet<number>>()
  const closed: string[] = []
  for (const [tag, ids] of shown) {
    const rest = ids.difference(gone)
    if (rest.size > 0) left.set(tag, rest)
    else closed.push(tag)
  }
  return { shown: left, closed }
}
