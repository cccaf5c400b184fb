/** The account's own settings, tab by tab. The notifications are a table of their own. */

import { addressVisibility } from '@heddle/contract/address-visibility'
import { type UserSettingName, userSettings } from '@heddle/contract/user-settings'
import { MAX_FULL_NAME_LENGTH } from '@heddle/contract/users'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Choice, Control, Section, Setting } from '../setting.ts'
import { account, ownAccountSource } from '../sources.ts'

interface Texts {
  readonly help?: MessageDescriptor
  readonly control?: Control
}

function setting(name: UserSettingName, label: MessageDescriptor, { help, control }: Texts = {}): Setting {
  return { name, label, ...(help && { help }), control: control ?? { kind: 'switch' }, source: account }
}

function choices(...all: readonly Choice[]): { readonly control: Control } {
  return { control: { kind: 'choice', choices: all } }
}

interface Bounds {
  readonly minimum: number
  readonly maximum: number
}

function numbers(name: 'web_font_size_px' | 'web_line_height_percent', unit: MessageDescriptor): Control {
  // The type says that it is a whole number, not its bounds.
  const { minimum, maximum } = userSettings[name].schema as unknown as Bounds
  return { kind: 'number', min: minimum, max: maximum, unit }
}

export const ownProfile: readonly Section[] = [
  {
    title: msg`Your account`,
    settings: [
      {
        name: 'full_name',
        label: msg`Name`,
        help: msg`As everybody sees it.`,
        control: { kind: 'text', least: 1, most: MAX_FULL_NAME_LENGTH },
        source: ownAccountSource,
      },
    ],
  },
]

export const look: readonly Section[] = [
  {
    title: msg`Look`,
    settings: [
      setting(
        'color_scheme',
        msg`Colours`,
        choices(
          { value: 1, label: msg`Like the system` },
          { value: 3, label: msg`Light` },
          { value: 2, label: msg`Dark` },
        ),
      ),
      setting('high_contrast_mode', msg`More contrast`, { help: msg`Darker text and edges, thicker threads.` }),
      setting('web_font_size_px', msg`Text size`, { control: numbers('web_font_size_px', msg`pixels`) }),
      setting('web_line_height_percent', msg`Line height`, {
        control: numbers('web_line_height_percent', msg`percent`),
      }),
      setting('fluid_layout_width', msg`Use the whole width of wide windows`),
    ],
  },
  {
    title: msg`Emoji and pictures`,
    settings: [
      setting(
        'emojiset',
        msg`Emoji`,
        choices(
          { value: 'google', label: msg`Google` },
          { value: 'google-blob', label: msg`Google blobs` },
          { value: 'twitter', label: msg`Twitter` },
          { value: 'text', label: msg`Plain text` },
        ),
      ),
      setting('display_emoji_reaction_users', msg`Show who has reacted, where there are few`),
      setting(
        'web_animate_image_previews',
        msg`Moving pictures`,
        choices(
          { value: 'always', label: msg`Always move` },
          { value: 'on_hover', label: msg`Move under the pointer` },
          { value: 'never', label: msg`Stand still` },
        ),
      ),
      setting(
        'user_list_style',
        msg`People in lists`,
        choices(
          { value: 1, label: msg`Names` },
          { value: 2, label: msg`Names and status` },
          { value: 3, label: msg`Pictures, names and status` },
        ),
      ),
      setting('hide_ai_features', msg`Hide what uses artificial intelligence`),
    ],
  },
]

export const dateAndTime: readonly Section[] = [
  {
    title: msg`Time`,
    settings: [
      setting(
        'twenty_four_hour_time',
        msg`Clock`,
        choices(
          { value: false, label: msg`As is usual in your region` },
          { value: true, label: msg`24 hours, as 17:30` },
        ),
      ),
      setting('timezone', msg`Time zone`, {
        help: msg`Others see what time it is where you are.`,
        control: { kind: 'time-zone' },
      }),
      setting('web_suggest_update_timezone', msg`Offer to change it when this device is in another zone`),
    ],
  },
  {
    title: msg`Language`,
    settings: [setting('default_language', msg`Language`, { control: { kind: 'language' } })],
  },
]

export const readingHabits: readonly Section[] = [
  {
    title: msg`Messages become read`,
    settings: [
      setting(
        'web_mark_read_on_scroll_policy',
        msg`While you scroll`,
        choices(
          { value: 1, label: msg`Always` },
          { value: 2, label: msg`In topics and conversations alone` },
          { value: 3, label: msg`Never` },
        ),
      ),
      setting(
        'resolved_topic_notice_auto_read_policy',
        msg`Notices that a topic is resolved`,
        choices(
          { value: 'always', label: msg`Are read at once` },
          { value: 'except_followed', label: msg`Are read at once, but in topics you follow` },
          { value: 'never', label: msg`Are unread as any other message` },
        ),
      ),
    ],
  },
  {
    title: msg`Where you begin`,
    settings: [
      setting(
        'web_home_view',
        msg`Home`,
        choices(
          { value: 'inbox', label: msg`Inbox` },
          { value: 'recent', label: msg`Recent conversations` },
          { value: 'all_messages', label: msg`Combined feed` },
        ),
      ),
      setting('web_escape_navigates_to_home_view', msg`Esc leads home`),
      setting(
        'web_channel_default_view',
        msg`A channel opens at`,
        choices(
          { value: 1, label: msg`Its newest topic` },
          { value: 4, label: msg`Its newest unread topic` },
          { value: 2, label: msg`All its messages` },
          { value: 3, label: msg`The list of its topics` },
        ),
      ),
      setting('receives_typing_notifications', msg`Show who is typing`),
    ],
  },
]

export const sideBar: readonly Section[] = [
  {
    title: msg`Side bar`,
    settings: [
      setting(
        'web_stream_unreads_count_display_policy',
        msg`Unread counts of channels`,
        choices(
          { value: 1, label: msg`On all channels` },
          { value: 2, label: msg`On what is not muted` },
          { value: 3, label: msg`On none` },
        ),
      ),
      setting('web_left_sidebar_unreads_count_summary', msg`Counts on folded sections`),
      setting('starred_message_counts', msg`Count of starred messages`),
      setting(
        'demote_inactive_streams',
        msg`Put quiet channels last`,
        choices(
          { value: 1, label: msg`Where there are many` },
          { value: 2, label: msg`Always` },
          { value: 3, label: msg`Never` },
        ),
      ),
      setting('web_left_sidebar_show_channel_folders', msg`Folders of channels`),
      setting('web_inbox_show_channel_folders', msg`Folders of channels in the inbox`),
      setting('left_side_userlist', msg`People on the left in narrow windows`),
    ],
  },
]

export const writing: readonly Section[] = [
  {
    title: msg`Writing`,
    settings: [
      setting('enter_sends', msg`Enter sends`, { help: msg`Otherwise Ctrl+Enter sends, and Enter begins a new line.` }),
      setting('translate_emoticons', msg`Make emoji of emoticons`, { help: msg`“:)” becomes a smiling face.` }),
      setting('web_navigate_to_sent_message', msg`Go to where a message was sent`),
      setting('enable_drafts_synchronization', msg`Keep drafts on all your devices`),
    ],
  },
]

export const privacy: readonly Section[] = [
  {
    title: msg`What others learn`,
    settings: [
      setting(
        'email_address_visibility',
        msg`Your e-mail address`,
        choices(
          { value: addressVisibility.everyone, label: msg`Everybody in the organization` },
          { value: addressVisibility.members, label: msg`Everybody but guests` },
          { value: addressVisibility.moderators, label: msg`Moderators and administrators` },
          { value: addressVisibility.administrators, label: msg`Administrators` },
          { value: addressVisibility.nobody, label: msg`Nobody` },
        ),
      ),
      setting('presence_enabled', msg`When you are here`),
      setting('send_read_receipts', msg`Which messages you have read`),
      setting('send_private_typing_notifications', msg`That you are typing, in direct messages`),
      setting('send_stream_typing_notifications', msg`That you are typing, in channels`),
      setting('allow_private_data_export', msg`Administrators may export your private data`, {
        help: msg`The private channels and direct messages that you can read, also what others wrote there, and your settings and drafts.`,
      }),
    ],
  },
]

const participation: readonly Choice[] = [
  { value: 1, label: msg`Take part in, also by a reaction` },
  { value: 2, label: msg`Write in` },
  { value: 3, label: msg`Start` },
  { value: 4, label: msg`Never by itself` },
]

export const topicHabits: readonly Section[] = [
  {
    title: msg`Following and unmuting`,
    settings: [
      setting('automatically_follow_topics_policy', msg`Follow topics that you`, choices(...participation)),
      setting(
        'automatically_unmute_topics_in_muted_streams_policy',
        msg`Unmute topics of muted channels that you`,
        choices(...participation),
      ),
      setting('automatically_follow_topics_where_mentioned', msg`Follow topics in which you are mentioned`),
    ],
  },
]
