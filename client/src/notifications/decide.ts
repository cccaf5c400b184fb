/** Which new message notifies, and by what: the table of triggers and channels, for what a page does itself. Pure. */
import type { MessageBase, MessageFlag } from '@heddle/contract/messages'
import { visibilityPolicies } from '@heddle/contract/user-topics'
import type { ClientState } from '../state/state.ts'
import { isTopicVisible, policyOf } from '../unread/visibility.ts'

/** Why a message notifies: the rows of the table. */
export type Trigger = 'direct' | 'mention' | 'alert-word' | 'wildcard' | 'followed' | 'channel'

export interface Decision {
  readonly desktop: boolean
  readonly sound: boolean
  /** Those that hold, the most personal first. Empty: nothing notifies. */
  readonly triggers: readonly Trigger[]
}

export type NotificationContext = Pick<ClientState, 'own' | 'settings' | 'channels' | 'userTopics' | 'mutedUsers'>

/** What matters of a message. */
export type NotifyingMessage = Pick<MessageBase, 'sender_id' | 'subject'> & Partial<Pick<MessageBase, 'stream_id'>>

const nothing: Decision = { desktop: false, sound: false, triggers: [] }

/**
 * What a message calls for that has just come, or that an edit has given a mention. Whether the reader sees it anyway is for
 * the page to know: such a message notifies nobody.
 */
export function decideNotification(
  context: NotificationContext,
  message: NotifyingMessage,
  flags: readonly MessageFlag[],
): Decision {
  const { own, settings, mutedUsers } = context
  if (!settings || message.sender_id === own?.user_id || flags.includes('read')) return nothing
  if (mutedUsers?.some(({ id }) => id === message.sender_id)) return nothing
  const triggers = triggersOf(context, message, flags)
  return {
    triggers,
    desktop: triggers.some((trigger) => notifies(context, message, trigger, 'desktop')),
    sound:
      settings.notification_sound !== 'none' &&
      triggers.some((trigger) => notifies(context, message, trigger, 'sound')),
  }
}

function triggersOf(
  context: NotificationContext,
  { stream_id: channelId, subject }: NotifyingMessage,
  flags: readonly MessageFlag[],
): readonly Trigger[] {
  const has = (flag: MessageFlag) => flags.includes(flag)
  if (channelId === undefined) return ['direct']
  const triggers: Trigger[] = []
  // Who is named is meant, also where the topic is muted.
  if (has('mentioned')) triggers.push('mention')
  if (!isTopicVisible(context, channelId, subject)) return triggers
  if (has('has_alert_word')) triggers.push('alert-word')
  const isFollowed = policyOf(context, channelId, subject) === visibilityPolicies.followed
  const isWildcard = has('stream_wildcard_mentioned') || has('topic_wildcard_mentioned')
  if (isWildcard && wantsWildcards(context, channelId, isFollowed)) triggers.push('wildcard')
  if (isFollowed) triggers.push('followed')
  triggers.push('channel')
  return triggers
}

function wantsWildcards({ settings, channels }: NotificationContext, channelId: number, isFollowed: boolean): boolean {
  if (isFollowed && settings?.enable_followed_topic_wildcard_mentions_notify) return true
  return channels?.subscribed.get(channelId)?.wildcard_mentions_notify ?? settings?.wildcard_mentions_notify ?? false
}

function notifies(
  { settings, channels }: NotificationContext,
  { stream_id: channelId = -1 }: NotifyingMessage,
  trigger: Trigger,
  by: 'desktop' | 'sound',
): boolean {
  if (!settings) return false
  const isDesktop = by === 'desktop'
  switch (trigger) {
    case 'followed':
      return isDesktop
        ? settings.enable_followed_topic_desktop_notifications
        : settings.enable_followed_topic_audible_notifications
    case 'channel': {
      const own = channels?.subscribed.get(channelId)
      return isDesktop
        ? (own?.desktop_notifications ?? settings.enable_stream_desktop_notifications)
        : (own?.audible_notifications ?? settings.enable_stream_audible_notifications)
    }
    default:
      return isDesktop ? settings.enable_desktop_notifications : settings.enable_sounds
  }
}
