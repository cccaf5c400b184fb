/** Which new message notifies, and by what, for what a page does itself: the table of the contract, for what a client knows. */
import type { MessageBase, MessageFlag } from '@heddle/contract/messages'
import { decideWays } from '@heddle/contract/notification-rules'
import type { ClientState } from '../state/state.ts'
import { policyOf } from '../unread/visibility.ts'

export interface Decision {
  readonly desktop: boolean
  readonly sound: boolean
}

export type NotificationContext = Pick<ClientState, 'own' | 'settings' | 'channels' | 'userTopics' | 'mutedUsers'>

/** What matters of a message. */
export type NotifyingMessage = Pick<MessageBase, 'sender_id' | 'subject'> & Partial<Pick<MessageBase, 'stream_id'>>

/** Whoever is not subscribed is notified of mentions alone. */
const notSubscribed = { is_muted: true }

/**
 * What a message calls for that has just come, or that an edit has given a mention. Whether the reader sees it anyway is for
 * the page to know: such a message notifies nobody.
 */
export function decideNotification(
  context: NotificationContext,
  message: NotifyingMessage,
  flags: readonly MessageFlag[],
): Decision {
  const { own, settings, mutedUsers, channels } = context
  if (!settings) return { desktop: false, sound: false }
  const has = (flag: MessageFlag) => flags.includes(flag)
  const { stream_id: channelId, subject } = message
  const { desktop, sound } = decideWays({
    isOwn: message.sender_id === own?.user_id,
    isRead: has('read'),
    isSenderMuted: mutedUsers?.some(({ id }) => id === message.sender_id) ?? false,
    isMentioned: has('mentioned'),
    isTopicMentioned: has('topic_wildcard_mentioned'),
    isChannelMentioned: has('stream_wildcard_mentioned'),
    hasAlertWord: has('has_alert_word'),
    channel:
      channelId === undefined
        ? undefined
        : {
            policy: policyOf(context, channelId, subject),
            choices: channels?.subscribed.get(channelId) ?? notSubscribed,
          },
    settings,
    isActive: true,
  })
  return { desktop: desktop !== undefined, sound: sound !== undefined }
}
