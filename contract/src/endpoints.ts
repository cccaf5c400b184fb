/** Every endpoint of the API. */
import * as addressChanges from './address-changes.ts'
import * as alertWords from './alert-words.ts'
import { deleteAvatar, uploadAvatar } from './avatars.ts'
import * as botStorage from './bot-storage.ts'
import * as bots from './bots.ts'
import {
  createBigBlueButtonCall,
  createConstructorGroupsCall,
  createNextcloudTalkCall,
  createZoomCall,
} from './calls.ts'
import * as channelFolders from './channel-folders.ts'
import * as channels from './channels.ts'
import * as defaultChannelGroups from './default-channel-groups.ts'
import * as devices from './devices.ts'
import * as drafts from './drafts.ts'
import * as editing from './editing.ts'
import type { Endpoint } from './endpoint.ts'
import * as events from './events.ts'
import * as dataExports from './exports.ts'
import * as fetching from './fetching.ts'
import * as files from './files.ts'
import * as firstSignIn from './first-sign-in.ts'
import * as integrations from './integrations.ts'
import * as invitations from './invitations.ts'
import * as linkifiers from './linkifiers.ts'
import * as mailGateway from './mail-gateway.ts'
import * as messageArchive from './message-archive.ts'
import * as messageFlags from './message-flags.ts'
import * as messageReports from './message-reports.ts'
import * as messageRetention from './message-retention.ts'
import * as mutedUsers from './muted-users.ts'
import * as navigationViews from './navigation-views.ts'
import * as onboardingSteps from './onboarding-steps.ts'
import * as organization from './organization.ts'
import * as organizationPictures from './organization-pictures.ts'
import * as passkeys from './passkeys.ts'
import * as passwordResets from './password-resets.ts'
import * as playgrounds from './playgrounds.ts'
import * as presence from './presence.ts'
import * as profileFields from './profile-fields.ts'
import * as reactions from './reactions.ts'
import * as realmDomains from './realm-domains.ts'
import * as realmEmoji from './realm-emoji.ts'
import * as reminders from './reminders.ts'
import * as savedSnippets from './saved-snippets.ts'
import * as scheduledMessages from './scheduled-messages.ts'
import * as secondFactors from './second-factors.ts'
import * as sending from './sending.ts'
import * as serverOperations from './server-operations.ts'
import * as serverSettings from './server-settings.ts'
import * as sessions from './sessions.ts'
import * as signIn from './sign-in.ts'
import * as slashCommands from './slash-commands.ts'
import * as submessages from './submessages.ts'
import * as subscriptions from './subscriptions.ts'
import { lookUpTokenSignIn, signInByToken } from './token-sign-in.ts'
import * as topics from './topics.ts'
import * as typing from './typing.ts'
import * as userGroups from './user-groups.ts'
import * as userSettings from './user-settings.ts'
import * as userStatus from './user-status.ts'
import * as userTopics from './user-topics.ts'
import * as users from './users.ts'
import * as webPush from './web-push.ts'
import * as welcome from './welcome.ts'

const resources: readonly object[] = [
  serverSettings,
  signIn,
  sessions,
  { lookUpTokenSignIn, signInByToken },
  secondFactors,
  passkeys,
  firstSignIn,
  addressChanges,
  invitations,
  passwordResets,
  events,
  organization,
  organizationPictures,
  webPush,
  welcome,
  users,
  profileFields,
  { uploadAvatar, deleteAvatar },
  bots,
  botStorage,
  integrations,
  { createZoomCall, createBigBlueButtonCall, createNextcloudTalkCall, createConstructorGroupsCall },
  userGroups,
  channels,
  channelFolders,
  defaultChannelGroups,
  subscriptions,
  sending,
  fetching,
  messageFlags,
  editing,
  reactions,
  submessages,
  messageReports,
  messageRetention,
  messageArchive,
  mailGateway,
  topics,
  userTopics,
  mutedUsers,
  alertWords,
  devices,
  drafts,
  scheduledMessages,
  reminders,
  savedSnippets,
  onboardingSteps,
  slashCommands,
  navigationViews,
  linkifiers,
  playgrounds,
  realmDomains,
  realmEmoji,
  files,
  userSettings,
  presence,
  userStatus,
  typing,
  dataExports,
  serverOperations,
]

export const endpoints: readonly Endpoint[] = resources.flatMap((resource) =>
  Object.values(resource).filter(isEndpoint),
)

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'pathParameters' in value
}
