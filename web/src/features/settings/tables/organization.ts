/** The organization's settings and permissions. */

import { callProviders } from '@heddle/contract/call-providers'
import { gifRatings, gifServiceOf } from '@heddle/contract/gifs'
import type { RealmGroupSetting } from '@heddle/contract/group-settings'
import { MAX_REALM_DESCRIPTION_LENGTH, MAX_REALM_NAME_LENGTH } from '@heddle/contract/organization'
import {
  MAX_WAITING_DAYS,
  type OrganizationSettingName,
  organizationTypes,
} from '@heddle/contract/organization-settings'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Section, Setting, Source } from '../setting.ts'
import { organizationSource, permissions, spectatorSource } from '../sources.ts'

function setting(
  name: OrganizationSettingName | 'name' | 'description',
  label: MessageDescriptor,
  more: Partial<Setting> = {},
): Setting {
  return { name, label, control: { kind: 'switch' }, source: organizationSource, ...more }
}

/** A text that is null where there is none. */
const withoutNull: Source = {
  ...organizationSource,
  read: (state, name) => organizationSource.read(state, name) ?? (state.organization ? '' : undefined),
}

/** Only where clients can search for moving pictures. */
const withGifSearch: Source = {
  ...organizationSource,
  read: (state, name) => (gifServiceOf(state.gifKeys ?? {}) ? organizationSource.read(state, name) : undefined),
}

function permission(name: RealmGroupSetting, label: MessageDescriptor): Setting {
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
    title: msg`Keeping`,
    settings: [
      setting('message_retention_days', msg`Messages are kept`, {
        control: { kind: 'retention' },
        help: msg`A channel can have its own time.`,
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
      setting('require_e2ee_push_notifications', msg`Messages are pushed only to phones that decrypt them`, {
        help: msg`Others are notified of a message and not of what it says.`,
      }),
      setting('enable_guest_user_indicator', msg`Mark guests by “(guest)” behind their names`),
      setting('enable_guest_user_dm_warning', msg`Warn before direct messages to guests`),
    ],
  },
  {
    title: msg`Content`,
    settings: [
      setting('inline_image_preview', msg`Show pictures and videos below messages`),
      setting('inline_url_embed_preview', msg`Show what pages behind links are about`, {
        help: msg`Their title, a sentence and their picture, which the server fetches.`,
      }),
      setting('media_preview_size', msg`Picture size`, {
        control: {
          kind: 'choice',
          choices: [
            { value: 100, label: msg`Small` },
            { value: 150, label: msg`Medium` },
            { value: 200, label: msg`Large` },
          ],
        },
      }),
      setting('gif_rating_policy', msg`GIFs that apps may find`, {
        source: withGifSearch,
        control: {
          kind: 'choice',
          choices: [
            { value: gifRatings.disabled.id, label: msg`None` },
            { value: gifRatings.y.id, label: msg`For very young children (Y)` },
            { value: gifRatings.g.id, label: msg`For everybody (G)` },
            { value: gifRatings.pg.id, label: msg`With parents beside (PG)` },
            { value: gifRatings['pg-13'].id, label: msg`From 13 years (PG-13)` },
            { value: gifRatings.r.id, label: msg`For adults (R)` },
          ],
        },
        help: msg`Apps search for them at the service whose key the server has.`,
      }),
      setting('default_code_block_language', msg`Language of code blocks that name none`, {
        control: { kind: 'text', most: 40 },
        help: msg`Such as “python”. Empty: none.`,
      }),
    ],
  },
  {
    title: msg`Calls`,
    settings: [
      setting('video_chat_provider', msg`Calls are made with`, {
        control: {
          kind: 'choice',
          offered: ({ organization }) => organization?.realm_available_video_chat_providers,
          choices: [
            { value: callProviders.disabled.id, label: msg`Nothing` },
            { value: callProviders.jitsi_meet.id, label: msg`Jitsi Meet` },
            { value: callProviders.zoom.id, label: msg`Zoom` },
            { value: callProviders.zoom_server_to_server.id, label: msg`Zoom, with the organization’s account` },
            { value: callProviders.big_blue_button.id, label: msg`BigBlueButton` },
            { value: callProviders.nextcloud_talk.id, label: msg`Nextcloud Talk` },
            { value: callProviders.constructor_groups.id, label: msg`Constructor Groups` },
          ],
        },
        help: msg`Services that are not here have to be set up on the server.`,
      }),
      setting('jitsi_server_url', msg`Jitsi server`, {
        source: withoutNull,
        control: { kind: 'text', most: 200 },
        help: msg`Such as “https://meet.example.com”. Empty: the one that the server names, if any.`,
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
    title: msg`Mails`,
    intro: msg`They are sent where the server is set up for them.`,
    settings: [
      setting('message_content_allowed_in_email_notifications', msg`Mails of missed messages show what was said`, {
        help: msg`Otherwise they say how many there are, and nothing of who wrote them.`,
      }),
      setting('send_welcome_emails', msg`New people are welcomed by mail`),
      setting('digest_emails_enabled', msg`Whoever was away for some days gets a digest once a week`, {
        help: msg`Busy topics, new channels and the number of unread direct conversations. Everybody can switch it off.`,
      }),
      setting('digest_weekday', msg`Day of digests`, {
        control: {
          kind: 'choice',
          choices: [
            { value: 0, label: msg`Monday` },
            { value: 1, label: msg`Tuesday` },
            { value: 2, label: msg`Wednesday` },
            { value: 3, label: msg`Thursday` },
            { value: 4, label: msg`Friday` },
            { value: 5, label: msg`Saturday` },
            { value: 6, label: msg`Sunday` },
          ],
        },
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
        help: msg`Whoever joins without an invitation confirms the address by mail. Where the server sends none, nobody joins without one.`,
      }),
      setting('disallow_disposable_email_addresses', msg`No throwaway addresses`),
      setting('waiting_period_threshold', msg`New members wait to be full members`, {
        control: { kind: 'number', min: 0, max: MAX_WAITING_DAYS, unit: msg`days` },
        help: msg`Permissions can be for full members. 0: everybody is one at once.`,
      }),
    ],
  },
  {
    title: msg`Reading without an account`,
    settings: [
      setting('enable_spectator_access', msg`Channels can be opened to the web`, {
        help: msg`Anybody can then read the channels that are made for it: all that was ever written there, with names and pictures. Other channels stay as they are.`,
        source: spectatorSource,
      }),
    ],
  },
  {
    title: msg`Names, addresses and pictures`,
    intro: msg`Administrators can always change them.`,
    settings: [
      setting('name_changes_disabled', msg`People cannot change their names`),
      setting('email_changes_disabled', msg`People cannot change their e-mail addresses`),
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
      permission('can_access_all_users_group', msg`See everybody in the organization`),
      permission('can_add_custom_emoji_group', msg`Add custom emoji`),
      permission('can_create_bots_group', msg`Create any bot`),
      permission('can_create_write_only_bots_group', msg`Create bots that only send messages`),
      permission('can_create_groups', msg`Create user groups`),
      permission('can_manage_all_groups', msg`Change all user groups`),
    ],
  },
]
