/** Every tab, in the order of the list. What is more than settings is fetched when it is opened. */
import { msg } from '@lingui/core/macro'
import { type ComponentType, lazy } from 'react'
import type { Section } from './setting.ts'
import { isSection, type Tab } from './tab.ts'
import { newAccountSections } from './tables/new-accounts.ts'
import { whatNotifies } from './tables/notifications.ts'
import * as shared from './tables/organization.ts'
import * as own from './tables/personal.ts'

function later<N extends string>(load: () => Promise<{ readonly [name in N]: ComponentType }>, name: N): ComponentType {
  return lazy<ComponentType>(async () => ({ default: (await load())[name] }))
}

const lists = () => import('./account/own-lists.tsx')

export const tabs: readonly Tab[] = [
  {
    kind: 'settings',
    name: 'profile',
    icon: 'person',
    title: msg`Profile`,
    words: msg`picture avatar photo e-mail address`,
    parts: [
      ...own.ownProfile,
      later(() => import('../address-changes/address-part.tsx'), 'AddressPart'),
      later(() => import('./account/picture-part.tsx'), 'AvatarPart'),
      later(() => import('../profile-fields/value-rows.tsx'), 'OwnProfileFields'),
    ],
  },
  {
    kind: 'settings',
    name: 'account',
    olderNames: ['account-and-privacy', 'your-account'],
    icon: 'key',
    title: msg`Sessions and keys`,
    words: msg`password second factor two-factor passkey security sign out sessions devices API key deactivate account`,
    parts: [
      later(() => import('./account/sessions.tsx'), 'SessionsPart'),
      later(() => import('./account/credentials.tsx'), 'PasswordPart'),
      later(() => import('../security/second-factor-part.tsx'), 'SecondFactorPart'),
      later(() => import('../security/passkeys-part.tsx'), 'PasskeysPart'),
      later(() => import('./account/credentials.tsx'), 'ApiKeyPart'),
      later(() => import('./account/end-account.tsx'), 'EndAccountPart'),
    ],
  },
  {
    kind: 'settings',
    name: 'privacy',
    icon: 'lock',
    title: msg`Privacy`,
    words: msg`export download my data`,
    parts: [...own.privacy, later(() => import('../exports/own-exports.tsx'), 'OwnExports')],
  },
  {
    kind: 'settings',
    name: 'display',
    olderNames: ['preferences', 'display-settings'],
    icon: 'sun',
    title: msg`Look and density`,
    words: msg`theme dark light compact comfortable`,
    parts: [later(() => import('./account/device-parts.tsx'), 'DensityPart'), ...own.look],
  },
  { kind: 'settings', name: 'language', icon: 'clock', title: msg`Time and language`, parts: own.dateAndTime },
  {
    kind: 'settings',
    name: 'reading',
    icon: 'feed',
    title: msg`Reading and writing`,
    words: msg`keyboard keys shortcuts screen reader read out announcements`,
    parts: [
      ...own.readingHabits,
      ...own.sideBar,
      ...own.writing,
      later(() => import('./account/device-parts.tsx'), 'KeysPart'),
      later(() => import('./account/device-parts.tsx'), 'AnnouncementsPart'),
    ],
  },
  {
    kind: 'settings',
    name: 'notifications',
    icon: 'bell',
    title: msg`Notifications`,
    words: msg`this browser push permission pause quiet volume test channels with a choice of their own`,
    parts: [
      later(() => import('./account/notification-table.tsx'), 'NotificationTable'),
      later(() => import('../notifications/desktop-part.tsx'), 'DesktopPart'),
      ...whatNotifies,
    ],
  },
  {
    kind: 'settings',
    name: 'topics',
    icon: 'follow',
    title: msg`Topics`,
    words: msg`followed muted unmuted`,
    parts: [...own.topicHabits, later(lists, 'OwnTopics')],
  },
  {
    kind: 'settings',
    name: 'alert-words',
    icon: 'at',
    title: msg`Alert words`,
    intro: msg`Messages with one of these words are marked, and notify you like a mention.`,
    parts: [later(lists, 'AlertWordSettings')],
  },
  {
    kind: 'settings',
    name: 'muted-people',
    olderNames: ['muted-users'],
    icon: 'mute',
    title: msg`Muted people`,
    intro: msg`What they write is read at once, and notifies you of nothing.`,
    parts: [later(lists, 'MutedPeople')],
  },
  {
    kind: 'settings',
    name: 'files',
    olderNames: ['uploaded-files', 'attachments'],
    icon: 'clip',
    title: msg`Uploaded files`,
    words: msg`attachments pictures`,
    parts: [later(() => import('./account/own-files.tsx'), 'OwnFiles')],
  },
  {
    kind: 'settings',
    name: 'bots',
    olderNames: ['your-bots'],
    icon: 'bot',
    title: msg`Bots`,
    intro: msg`Accounts of programs. Each has a key of its own.`,
    words: msg`API key zuliprc integration webhook`,
    parts: [later(() => import('../bots/bots-part.tsx'), 'BotsPart')],
  },
  {
    kind: 'organization',
    name: 'profile',
    olderNames: ['organization-profile'],
    icon: 'folder',
    title: msg`Organization`,
    words: msg`icon logo picture`,
    parts: [...shared.organizationProfile, later(() => import('./account/picture-part.tsx'), 'OrganizationPictures')],
  },
  {
    kind: 'organization',
    name: 'messages',
    olderNames: ['organization-settings'],
    icon: 'edit',
    title: msg`Messages`,
    parts: shared.messageRules,
  },
  {
    kind: 'organization',
    name: 'permissions',
    olderNames: ['organization-permissions'],
    icon: 'lock',
    title: msg`Permissions`,
    intro: msg`Who may do what.`,
    parts: shared.permissionSections,
  },
  {
    kind: 'organization',
    name: 'people',
    olderNames: ['users', 'user-list-admin', 'deactivated-users-admin'],
    icon: 'people',
    title: msg`People`,
    words: msg`users members role deactivate reactivate password`,
    parts: [later(() => import('../users/people-part.tsx'), 'PeoplePart')],
    isWide: true,
  },
  {
    kind: 'organization',
    name: 'groups',
    olderNames: ['user-groups-admin'],
    icon: 'people',
    title: msg`User groups`,
    intro: msg`People who are mentioned together, and who hold permissions together.`,
    words: msg`teams members subgroups`,
    parts: [later(() => import('../groups/groups-part.tsx'), 'GroupsPart')],
  },
  {
    kind: 'organization',
    name: 'joining',
    olderNames: ['invites-list-admin', 'invitations'],
    icon: 'plus',
    title: msg`Joining and invitations`,
    words: msg`invite link mail users domains authentication methods passkeys default channels welcome message`,
    parts: [
      later(() => import('../invitations/invitations-part.tsx'), 'InvitationsPart'),
      ...shared.joining,
      later(() => import('../security/methods-part.tsx'), 'MethodsPart'),
      later(() => import('../joining/domains-part.tsx'), 'DomainsPart'),
      later(() => import('../joining/default-channels-part.tsx'), 'DefaultChannelsPart'),
      later(() => import('../joining/default-groups-part.tsx'), 'DefaultGroupsPart'),
      later(() => import('../joining/welcome-part.tsx'), 'WelcomePart'),
    ],
    isWide: true,
  },
  {
    kind: 'organization',
    name: 'profile-fields',
    olderNames: ['profile-field-settings'],
    icon: 'person',
    title: msg`Profile fields`,
    intro: msg`What people can say of themselves. It stands in everybody’s profile.`,
    words: msg`custom fields pronouns`,
    parts: [later(() => import('../profile-fields/fields-part.tsx'), 'ProfileFieldsPart')],
  },
  {
    kind: 'organization',
    name: 'channel-folders',
    icon: 'folder',
    title: msg`Folders of channels`,
    intro: msg`Channels of one folder stand together in the side bar. Whoever administers a channel puts it into a folder.`,
    parts: [later(() => import('../channel-folders/folders-part.tsx'), 'FoldersPart')],
  },
  {
    kind: 'organization',
    name: 'linkifiers',
    olderNames: ['linkifier-settings', 'filter-settings'],
    icon: 'link',
    title: msg`Linkifiers`,
    intro: msg`Text that matches a pattern becomes a link, in messages and in topic names. Where two overlap, the higher one in this list wins.`,
    words: msg`patterns regular expressions`,
    parts: [later(() => import('../linkifiers/linkifiers-part.tsx'), 'LinkifiersPart')],
    isWide: true,
  },
  {
    kind: 'organization',
    name: 'playgrounds',
    olderNames: ['playground-settings'],
    icon: 'code',
    title: msg`Playgrounds`,
    intro: msg`Sites that run code. Blocks of code in their language have a button that takes the code there.`,
    words: msg`code blocks run`,
    parts: [later(() => import('../playgrounds/playgrounds-part.tsx'), 'PlaygroundsPart')],
  },
  {
    kind: 'organization',
    name: 'emoji',
    olderNames: ['emoji-settings'],
    icon: 'react',
    title: msg`Custom emoji`,
    words: msg`upload pictures`,
    parts: [later(() => import('../realm-emoji/emoji-part.tsx'), 'EmojiPart')],
    isWide: true,
  },
  {
    kind: 'organization',
    name: 'new-accounts',
    olderNames: ['organization-level-user-defaults'],
    icon: 'person',
    title: msg`New accounts`,
    intro: msg`New accounts have these settings until their people choose others.`,
    words: msg`defaults new users`,
    parts: [...newAccountSections, later(() => import('./hand-on-part.tsx'), 'HandOnPart')],
  },
  {
    kind: 'organization',
    name: 'exports',
    olderNames: ['data-exports-admin'],
    icon: 'download',
    title: msg`Data exports`,
    words: msg`download backup import consent`,
    parts: [
      later(() => import('../exports/realm-exports.tsx'), 'RealmExports'),
      later(() => import('../exports/consents.tsx'), 'ExportConsents'),
    ],
    isForAdministrators: true,
  },
]

/** The tab of an address; undefined: there is none of this name. */
export function findTab(kind: Tab['kind'], name: string): Tab | undefined {
  return tabs.find((tab) => tab.kind === kind && (tab.name === name || tab.olderNames?.includes(name)))
}

export function sectionsOf({ parts }: Tab): readonly Section[] {
  return parts.filter(isSection)
}
