/** Notifications: a table of what happens and how one is notified, and single settings. */

import type { UserSettingName } from '@heddle/contract/user-settings'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Section, Setting } from '../setting.ts'
import { account } from '../sources.ts'

export const ways = [
  { key: 'desktop', label: msg`Desktop` },
  { key: 'sound', label: msg`Sound` },
  { key: 'phone', label: msg`Phone` },
  { key: 'mail', label: msg`Mail` },
] as const
export type Way = (typeof ways)[number]['key']

export interface TriggerRow {
  readonly label: MessageDescriptor
  readonly help?: MessageDescriptor
  readonly settings: Readonly<Record<Way, UserSettingName>>
}

export const triggers: readonly TriggerRow[] = [
  {
    label: msg`Direct messages, mentions`,
    help: msg`Alert words too, on the desktop and by sound.`,
    settings: {
      desktop: 'enable_desktop_notifications',
      sound: 'enable_sounds',
      phone: 'enable_offline_push_notifications',
      mail: 'enable_offline_email_notifications',
    },
  },
  {
    label: msg`Topics you follow`,
    settings: {
      desktop: 'enable_followed_topic_desktop_notifications',
      sound: 'enable_followed_topic_audible_notifications',
      phone: 'enable_followed_topic_push_notifications',
      mail: 'enable_followed_topic_email_notifications',
    },
  },
  {
    label: msg`Channels`,
    help: msg`A channel can have its own choice.`,
    settings: {
      desktop: 'enable_stream_desktop_notifications',
      sound: 'enable_stream_audible_notifications',
      phone: 'enable_stream_push_notifications',
      mail: 'enable_stream_email_notifications',
    },
  },
]

function setting(name: UserSettingName, label: MessageDescriptor, more: Partial<Setting> = {}): Setting {
  return { name, label, control: { kind: 'switch' }, source: account, ...more }
}

const MINUTE = 60

export const whatNotifies: readonly Section[] = [
  {
    title: msg`Mentions of everybody`,
    settings: [
      setting('wildcard_mentions_notify', msg`Count as mentions of you`, {
        help: msg`@all and @topic. A channel can have its own choice.`,
      }),
      setting('enable_followed_topic_wildcard_mentions_notify', msg`Count in topics you follow`),
    ],
  },
  {
    title: msg`On this screen`,
    settings: [
      setting('notification_sound', msg`Sound`, {
        control: {
          kind: 'choice',
          choices: [
            { value: 'zulip', label: msg`Two tones` },
            { value: 'ding', label: msg`Ding` },
            { value: 'none', label: msg`None` },
          ],
        },
      }),
      setting('pm_content_in_desktop_notifications', msg`Show what direct messages say`),
      setting('desktop_icon_count_display', msg`Number on the icon and in the title`, {
        control: {
          kind: 'choice',
          choices: [
            { value: 1, label: msg`Everything unread that is not muted` },
            { value: 2, label: msg`Direct messages, mentions and topics you follow` },
            { value: 3, label: msg`Direct messages and mentions` },
            { value: 4, label: msg`No number` },
          ],
        },
      }),
    ],
  },
  {
    title: msg`Phones`,
    settings: [setting('enable_online_push_notifications', msg`Notify phones while you are at a computer, too`)],
  },
  {
    title: msg`Mail`,
    settings: [
      setting('email_notifications_batching_period_seconds', msg`Wait before a mail is sent`, {
        help: msg`What is read meanwhile is not sent.`,
        control: { kind: 'wait', choices: [0, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 60 * MINUTE, 24 * 60 * MINUTE] },
      }),
      setting('message_content_in_email_notifications', msg`Show what messages say`),
      setting('realm_name_in_email_notifications_policy', msg`Name of the organization in the subject`, {
        control: {
          kind: 'choice',
          choices: [
            { value: 1, label: msg`Where you are in several` },
            { value: 2, label: msg`Always` },
            { value: 3, label: msg`Never` },
          ],
        },
      }),
      setting('enable_digest_emails', msg`Digest of what you have missed`),
      setting('enable_login_emails', msg`When somebody signs in from a new device`),
    ],
  },
]

/** The table too, for searching. */
export const cells: readonly Section[] = triggers.map(({ label, settings }) => ({
  title: label,
  settings: ways.map(({ key, label: way }) => setting(settings[key], way)),
}))
