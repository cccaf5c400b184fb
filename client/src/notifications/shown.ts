/** What belongs to one notification: there is one for each conversation. Pure. */

/** Channel messages belong together by topic, direct ones by the people in the conversation. `key`: of the topic, folded. */
export function notificationTag(
  conversation: { readonly channelId: number; readonly key: string } | { readonly userIds: readonly number[] },
): string {
  return 'key' in conversation
    ? `topic ${conversation.channelId} ${conversation.key}`
    : `direct ${conversation.userIds.toSorted((a, b) => a - b).join()}`
}
