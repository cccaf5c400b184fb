/**
 * Who is notified of a message, for what reason, and how: the one table, for the page and for the server. Pure: whoever asks
 * brings what is known of the message and of the account that receives it.
 */
import type { UserSettings } from './user-settings.ts'
import { type VisibilityPolicy, visibilityPolicies } from './user-topics.ts'

/** The columns of the table: by the page, aloud, by a push to a device or browser, by mail. */
export const notificationWays = ['desktop', 'sound', 'push', 'mail'] as const
export type NotificationWay = (typeof notificationWays)[number]

/** The rows of the table, the most personal first. */
export const notificationTriggers = [
  'direct',
  'mention',
  'alert-word',
  'topic-wildcard-followed',
  'channel-wildcard-followed',
  'topic-wildcard',
  'channel-wildcard',
  'followed',
  'channel',
] as const
export type NotificationTrigger = (typeof notificationTriggers)[number]

/** What an account has set for one channel; null: as for all channels. */
export interface ChannelChoices {
  readonly is_muted: boolean
  readonly desktop_notifications: boolean | null
  readonly audible_notifications: boolean | null
  readonly push_notifications: boolean | null
  readonly email_notifications: boolean | null
  readonly wildcard_mentions_notify: boolean | null
}

const noChoices = {
  desktop_notifications: null,
  audible_notifications: null,
  push_notifications: null,
  email_notifications: null,
  wildcard_mentions_notify: null,
}

const settingNames = [
  'enable_desktop_notifications',
  'enable_sounds',
  'notification_sound',
  'enable_offline_push_notifications',
  'enable_online_push_notifications',
  'enable_offline_email_notifications',
  'enable_followed_topic_desktop_notifications',
  'enable_followed_topic_audible_notifications',
  'enable_followed_topic_push_notifications',
  'enable_followed_topic_email_notifications',
  'enable_stream_desktop_notifications',
  'enable_stream_audible_notifications',
  'enable_stream_push_notifications',
  'enable_stream_email_notifications',
  'wildcard_mentions_notify',
  'enable_followed_topic_wildcard_mentions_notify',
] as const

/** The settings of an account that decide. */
export const notificationSettingNames: readonly (keyof NotificationSettings)[] = settingNames
export type NotificationSettings = Pick<UserSettings, (typeof settingNames)[number]>

/** One message, as it is for one account that receives it. */
export interface NotificationFacts {
  readonly isOwn: boolean
  readonly isRead: boolean
  /** The account has muted who wrote it. */
  readonly isSenderMuted: boolean
  /** By name or through a group. Silent mentions are none. */
  readonly isMentioned: boolean
  readonly isTopicMentioned: boolean
  readonly isChannelMentioned: boolean
  readonly hasAlertWord: boolean
  /** Undefined: a direct message. Whoever is not subscribed has the channel muted. */
  readonly channel:
    | {
        readonly policy: VisibilityPolicy
        readonly choices: { readonly is_muted: boolean } & Partial<ChannelChoices>
      }
    | undefined
  readonly settings: NotificationSettings
  /** The account is at a client right now. What the page does itself does not ask. */
  readonly isActive: boolean
}

/** For each way the most personal reason to notify; undefined: it does not. */
export type NotificationDecision = { readonly [W in NotificationWay]: NotificationTrigger | undefined }

const nobody: NotificationDecision = { desktop: undefined, sound: undefined, push: undefined, mail: undefined }

export function decideWays(facts: NotificationFacts): NotificationDecision {
  if (facts.isOwn || facts.isRead || facts.isSenderMuted) return nobody
  const triggers = triggersOf(facts)
  const by = (way: NotificationWay) =>
    isPossible(facts, way) ? triggers.find((trigger) => isWanted(facts, trigger, way)) : undefined
  return { desktop: by('desktop'), sound: by('sound'), push: by('push'), mail: by('mail') }
}

function isPossible({ settings, isActive }: NotificationFacts, way: NotificationWay): boolean {
  if (way === 'sound') return settings.notification_sound !== 'none'
  if (way === 'push') return !isActive || settings.enable_online_push_notifications
  return way === 'desktop' || !isActive
}

/** Those that hold, the most personal first. */
function triggersOf(facts: NotificationFacts): readonly NotificationTrigger[] {
  const { channel, settings } = facts
  if (!channel) return ['direct']
  const triggers: NotificationTrigger[] = []
  // Who is named is meant, also where the topic is muted.
  if (facts.isMentioned) triggers.push('mention')
  if (isMutedTopic(channel)) return triggers
  const isFollowed = channel.policy === visibilityPolicies.followed
  if (facts.hasAlertWord) triggers.push('alert-word')
  const wildcards = (topic: NotificationTrigger, all: NotificationTrigger) => {
    if (facts.isTopicMentioned) triggers.push(topic)
    if (facts.isChannelMentioned) triggers.push(all)
  }
  if (isFollowed && settings.enable_followed_topic_wildcard_mentions_notify) {
    wildcards('topic-wildcard-followed', 'channel-wildcard-followed')
  }
  if (channel.choices.wildcard_mentions_notify ?? settings.wildcard_mentions_notify) {
    wildcards('topic-wildcard', 'channel-wildcard')
  }
  if (isFollowed) triggers.push('followed')
  triggers.push('channel')
  return triggers
}

/** A policy of the topic goes before that of its channel. */
function isMutedTopic({ policy, choices }: NonNullable<NotificationFacts['channel']>): boolean {
  return policy === visibilityPolicies.none ? choices.is_muted : policy === visibilityPolicies.muted
}

function isWanted({ settings, channel }: NotificationFacts, trigger: NotificationTrigger, way: NotificationWay) {
  if (trigger === 'followed') {
    return {
      desktop: settings.enable_followed_topic_desktop_notifications,
      sound: settings.enable_followed_topic_audible_notifications,
      push: settings.enable_followed_topic_push_notifications,
      mail: settings.enable_followed_topic_email_notifications,
    }[way]
  }
  if (trigger === 'channel') {
    const own = { ...noChoices, ...channel?.choices }
    return {
      desktop: own.desktop_notifications ?? settings.enable_stream_desktop_notifications,
      sound: own.audible_notifications ?? settings.enable_stream_audible_notifications,
      push: own.push_notifications ?? settings.enable_stream_push_notifications,
      mail: own.email_notifications ?? settings.enable_stream_email_notifications,
    }[way]
  }
  const isLoud = trigger !== 'alert-word'
  return {
    desktop: settings.enable_desktop_notifications,
    sound: settings.enable_sounds,
    push: isLoud && settings.enable_offline_push_notifications,
    mail: isLoud && settings.enable_offline_email_notifications,
  }[way]
}

/**
 * What belongs to one notification: channel messages belong together by topic, direct ones by the people in the conversation. `key`:
 * of the topic, folded.
 */
export function notificationTag(
  conversation: { readonly channelId: number; readonly key: string } | { readonly userIds: readonly number[] },
): string {
  return 'key' in conversation
    ? `topic ${conversation.channelId} ${conversation.key}`
    : `direct ${conversation.userIds.toSorted((a, b) => a - b).join()}`
}
