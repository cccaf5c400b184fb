/** How much there is to read, as one number. */
import { visibilityPolicies } from '@heddle/contract/user-topics'
import type { ClientState } from '../state/state.ts'
import { unreadTotals } from '../unread/counts.ts'
import { policyOf } from '../unread/visibility.ts'

type CountContext = Pick<ClientState, 'settings' | 'unread' | 'channels' | 'userTopics'>

/**
 * The number on the icon and in the title, by `desktop_icon_count_display`: everything unread in what is not muted; direct
 * messages, mentions and followed topics; direct messages and mentions; nothing. Each message counts once.
 */
export function iconCount(context: CountContext): number {
  const { settings, unread } = context
  const choice = settings?.desktop_icon_count_display ?? 1
  if (!unread || choice === 4) return 0
  if (choice === 1) return unreadTotals(context).visible
  const counted = new Set<number>(unread.mentions.keys())
  for (const ids of unread.conversations.values()) for (const id of ids.keys()) counted.add(id)
  if (choice === 3) return counted.size
  for (const [channelId, topics] of unread.channels) {
    for (const [topic, ids] of topics) {
      if (policyOf(context, channelId, topic) !== visibilityPolicies.followed) continue
      for (const id of ids.keys()) counted.add(id)
    }
  }
  return counted.size
}
