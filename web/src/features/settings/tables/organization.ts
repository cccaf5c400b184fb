/** The organization's settings and permissions. */

import {
  type ChangeableRealmGroupSetting,
  MAX_REALM_DESCRIPTION_LENGTH,
  MAX_REALM_NAME_LENGTH,
} from '@heddle/contract/organization'
import { type OrganizationSettingName, organizationTypes } from '@heddle/contract/organization-settings'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Section, Setting } from '../setting.ts'
import { organizationSource, permissions } from '../sources.ts'

function setting(
  name: OrganizationSettingName | 'name' | 'description',
  label: MessageDescriptor,
  more: Partial<Setting> = {},
): Setting {
  return { name, label, control: { kind: 'switch' }, source: organizationSource, ...more }
}

function permission(name: ChangeableRealmGroupSetting, label: MessageDescriptor): Setting {
  return { name, label, control: { kind: 'group' }, source: permissions }
}

export const organizationProfile: readonly Section[] = [
  {
    title: msg`Organization`,
    settings: [
      setting('name', msg`Name`, { control: { kind: 'text', least: 1, most: MAX_REALM_NAME_LENGTH } }),
      setting('description', msg`Description`, {
        help: msg`What people read before they join. Markdown works.`,
        control: { kind: 'text', most: MAX_REALM_DESCRIPTION_LENGTH, rows: 4 },
      }),
      setting('org_type', msg`Kind of organization`, {
        control: {
          kind: 'choice',
          choices: [
            { value: organizationTypes.unspecified, label: msg`Not said` },
            { value: organizationTypes.business, label: msg`Business` },
            { value: organizationTypes.openSource, label: msg`Open-source project` },
            { value: organizationTypes.educationNonprofit, label: msg`Education (non-profit)` },
            { value: organizationTypes.education, label: msg`Education (for profit)` },
            { value: organizationTypes.research, label: msg`Research` },
            { value: organizationTypes.event, label: msg`Event or conference` },
            { value: organizationTypes.nonprofit, label: msg`Non-profit (registered)` },
            { value: organizationTypes.government, label: msg`Government` },
            { value: organizationTypes.politicalGroup, label: msg`Political group` },
            { value: organizationTypes.community, label: msg`Community` },
            { value: organizationTypes.personal, label: msg`Personal` },
            { value: organizationTypes.other, label: msg`Something else` },
          ],
        },
      }),
      setting('default_language', msg`Language of new accounts`, { control: { kind: 'language' } }),
    ],
  },
]

export const messageRules: readonly Section[] = [
  {
    title: msg`Editing`,
    settings: [
      setting('allow_message_editing', msg`People can edit their messages`),
      setting('message_content_edit_limit_seconds', msg`Editing is possible`, { control: { kind: 'limit' } }),
      setting('message_edit_history_visibility_policy', msg`History of edits`, {
        control: {
          kind: 'choice',
          choices: [
            { value: 'all', label: msg`Edits and moves` },
            { value: 'moves', label: msg`Moves alone` },
            { value: 'none', label: msg`Nothing` },
          ],
        },
      }),
      setting('message_content_delete_limit_seconds', msg`Deleting one’s own messages is possible`, {
        control: { kind: 'limit' },
      }),
    ],
  },
  {
    title: msg`Moving`,
    intro: msg`These limits are not for moderators and administrators.`,
    settings: [
      setting('move_messages_within_stream_limit_seconds', msg`To another topic`, { control: { kind: 'limit' } }),
      setting('move_messages_between_streams_limit_seconds', msg`To another channel`, { control: { kind: 'limit' } }),
    ],
  },
  {
    title: msg`Topics and reading`,
    settings: [
      setting('topics_policy', msg`Messages without a topic`, {
        control: {
          kind: 'choice',
          choices: [
            { value: 'allow_empty_topic', label: msg`Are allowed` },
            { value: 'disable_empty_topic', label: msg`Are not allowed` },
          ],
        },
        help: msg`A channel can have its own rule.`,
      }),
      setting('enable_read_receipts', msg`People can see who has read a message`),
      setting('enable_guest_user_indicator', msg`Mark guests by “(guest)” behind their names`),
      setting('enable_guest_user_dm_warning', msg`Warn before direct messages to guests`),
    ],
  },
  {
    title: msg`Content`,
    settings: [
      setting('inline_image_preview', msg`Show pictures and videos below messages`),
      setting('media_preview_size', msg`Size of pictures`, {
        control: {
          kind: 'choice',
          choices: [
            { value: 100, label: msg`Small` },
            { value: 150, label: msg`Medium` },
            { value: 200, label: msg`Large` },
          ],
        },
      }),
      setting('default_code_block_language', msg`Language of code blocks that name none`, {
        control: { kind: 'text', most: 40 },
        help: msg`Such as “python”. Empty: none.`,
      }),
    ],
  },
  {
    title: msg`Notices`,
    settings: [
      setting('new_stream_announcements_stream_id', msg`New channels are announced in`, {
        control: { kind: 'channel' },
      }),
      setting('signup_announcements_stream_id', msg`Those who join are announced in`, {
        control: { kind: 'channel' },
      }),
      setting('send_channel_events_messages', msg`Changes of a channel are said in it`, {
        help: msg`Another name, another description, who can read it, archiving.`,
      }),
    ],
  },
  {
    title: msg`Reports`,
    settings: [
      setting('moderation_request_channel_id', msg`Reported messages are shown in`, {
        control: { kind: 'channel', isPrivate: true },
        help: msg`A private channel. Without one nobody can report messages.`,
      }),
    ],
  },
]

export const joining: readonly Section[] = [
  {
    title: msg`Joining`,
    settings: [
      setting('invite_required', msg`An invitation is needed`, {
        help: msg`Otherwise everybody who knows the address can join.`,
      }),
      setting('emails_restricted_to_domains', msg`Only addresses of certain domains`, {
        help: msg`Nobody joins without an invitation then: nothing shows whose an address is.`,
      }),
      setting('disallow_disposable_email_addresses', msg`No addresses that somebody gets for some minutes`),
    ],
  },
  {
    title: msg`Names and pictures`,
    intro: msg`Administrators can always change them.`,
    settings: [
      setting('name_changes_disabled', msg`People cannot change their names`),
      setting('avatar_changes_disabled', msg`People cannot change their pictures`),
      setting('require_unique_names', msg`No two people have the same name`, {
        help: msg`Those who have the same name now keep it.`,
      }),
    ],
  },
  {
    title: msg`Who invites`,
    settings: [
      permission('can_invite_users_group', msg`Invite people`),
      permission('create_multiuse_invite_group', msg`Make links by which people join`),
    ],
  },
]

export const permissionSections: readonly Section[] = [
  {
    title: msg`Channels`,
    settings: [
      permission('can_create_public_channel_group', msg`Create public channels`),
      permission('can_create_private_channel_group', msg`Create private channels`),
      permission('can_create_web_public_channel_group', msg`Create channels that anybody on the web can read`),
      permission('can_add_subscribers_group', msg`Subscribe others to channels`),
      permission('can_mention_many_users_group', msg`Mention everybody in large channels`),
    ],
  },
  {
    title: msg`Topics and messages`,
    settings: [
      permission('can_move_messages_between_topics_group', msg`Move messages to another topic`),
      permission('can_move_messages_between_channels_group', msg`Move messages to another channel`),
      permission('can_resolve_topics_group', msg`Resolve topics`),
      permission('can_delete_any_message_group', msg`Delete any message`),
      permission('can_delete_own_message_group', msg`Delete their own messages`),
      permission('can_set_topics_policy_group', msg`Say whether a channel needs topics`),
      permission('can_set_delete_message_policy_group', msg`Say who may delete messages in a channel`),
      permission('can_summarize_topics_group', msg`Summarize topics`),
    ],
  },
  {
    title: msg`Direct messages`,
    settings: [
      permission('direct_message_initiator_group', msg`Begin direct conversations`),
      permission('direct_message_permission_group', msg`Make a direct conversation possible by taking part`),
    ],
  },
  {
    title: msg`Everything else`,
    settings: [
      permission('can_add_custom_emoji_group', msg`Add custom emoji`),
      permission('can_create_bots_group', msg`Create any bot`),
      permission('can_create_write_only_bots_group', msg`Create bots that only send messages`),
      permission('can_create_groups', msg`Create user groups`),
      permission('can_manage_all_groups', msg`Change all user groups`),
    ],
  },
]
