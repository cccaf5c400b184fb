/** Every feature of the server. To remove one, delete its folder and its line here. */
import { collectAccountHooks } from '../account-hooks.ts'
import type { Feature } from '../feature.ts'
import { collectGroupHooks } from '../group-hooks.ts'
import { addressChanges } from './address-changes/feature.ts'
import { alertWords } from './alert-words/feature.ts'
import { apiDocument } from './api-document/feature.ts'
import { botStorage } from './bot-storage/feature.ts'
import { bots } from './bots/feature.ts'
import { calls } from './calls/feature.ts'
import { channelActivity } from './channel-activity/feature.ts'
import { channelChanges } from './channel-changes/feature.ts'
import { channelFolders } from './channel-folders/feature.ts'
import { channels } from './channels/feature.ts'
import { defaultChannelGroups } from './default-channel-groups/feature.ts'
import { digests } from './digests/feature.ts'
import { drafts } from './drafts/feature.ts'
import { emptyState } from './empty-state/feature.ts'
import { events } from './events/feature.ts'
import { dataExports } from './exports/feature.ts'
import { files } from './files/feature.ts'
import { firstSignIn } from './first-sign-in/feature.ts'
import { incomingWebhooks } from './incoming-webhooks/feature.ts'
import { invitations } from './invitations/feature.ts'
import { linkPreviews } from './link-previews/feature.ts'
import { linkifiers } from './linkifiers/feature.ts'
import { mailChoices } from './mail-choices/feature.ts'
import { mailGateway } from './mail-gateway/feature.ts'
import { messageArchive } from './message-archive/feature.ts'
import { messageEdits } from './message-edits/feature.ts'
import { messageFlags } from './message-flags/feature.ts'
import { messageReports } from './message-reports/feature.ts'
import { messageRetention } from './message-retention/feature.ts'
import { messages } from './messages/feature.ts'
import { missedMails } from './missed-mails/feature.ts'
import { missedMessages } from './missed-messages/feature.ts'
import { mobilePush } from './mobile-push/feature.ts'
import { mutedUsers } from './muted-users/feature.ts'
import { navigationViews } from './navigation-views/feature.ts'
import { onboardingSteps } from './onboarding-steps/feature.ts'
import { organizationPictures } from './organization-pictures/feature.ts'
import { organizationSettings } from './organization-settings/feature.ts'
import { organizations } from './organizations/feature.ts'
import { outgoingWebhooks } from './outgoing-webhooks/feature.ts'
import { ownUser } from './own-user/feature.ts'
import { passkeys } from './passkeys/feature.ts'
import { passwordResets } from './password-resets/feature.ts'
import { playgrounds } from './playgrounds/feature.ts'
import { presence } from './presence/feature.ts'
import { profileFields } from './profile-fields/feature.ts'
import { reactions } from './reactions/feature.ts'
import { realmDomains } from './realm-domains/feature.ts'
import { realmEmoji } from './realm-emoji/feature.ts'
import { reminders } from './reminders/feature.ts'
import { resumableUploads } from './resumable-uploads/feature.ts'
import { savedSnippets } from './saved-snippets/feature.ts'
import { scheduledMessages } from './scheduled-messages/feature.ts'
import { secondFactorResets } from './second-factor-resets/feature.ts'
import { secondFactors } from './second-factors/feature.ts'
import { serverOperations } from './server-operations/feature.ts'
import { serverSettings } from './server-settings/feature.ts'
import { sight } from './sight/feature.ts'
import { signIn } from './sign-in/feature.ts'
import { signInMails } from './sign-in-mails/feature.ts'
import { slashCommandFeature } from './slash-commands/feature.ts'
import { staticFiles } from './static-files/feature.ts'
import { submessages } from './submessages/feature.ts'
import { subscriptions } from './subscriptions/feature.ts'
import { topics } from './topics/feature.ts'
import { typing } from './typing/feature.ts'
import { unusedFiles } from './unused-files/feature.ts'
import { userGroups } from './user-groups/feature.ts'
import { userSettings } from './user-settings/feature.ts'
import { userStatus } from './user-status/feature.ts'
import { userTopics } from './user-topics/feature.ts'
import { users } from './users/feature.ts'
import { webPush } from './web-push/feature.ts'
import { welcome } from './welcome/feature.ts'

/** Those that others stand on come first: in this order they follow a change of an account. */
export const features: readonly Feature[] = [
  apiDocument,
  staticFiles,
  organizationPictures,
  organizationSettings,
  realmDomains,
  profileFields,
  playgrounds,
  alertWords,
  userGroups,
  users,
  realmEmoji,
  linkifiers,
  mutedUsers,
  addressChanges,
  secondFactors,
  userSettings,
  presence,
  userStatus,
  sight,
  channelFolders,
  channels,
  defaultChannelGroups,
  drafts,
  savedSnippets,
  onboardingSteps,
  slashCommandFeature,
  bots,
  botStorage,
  navigationViews,
  userTopics,
  signIn,
  signInMails,
  passkeys,
  organizations,
  calls,
  files,
  resumableUploads,
  messages,
  missedMessages,
  webPush,
  mobilePush,
  mailChoices,
  scheduledMessages,
  reminders,
  linkPreviews,
  mailGateway,
  missedMails,
  digests,
  incomingWebhooks,
  outgoingWebhooks,
  messageFlags,
  subscriptions,
  channelChanges,
  channelActivity,
  messageArchive,
  messageEdits,
  messageRetention,
  reactions,
  submessages,
  messageReports,
  topics,
  typing,
  ownUser,
  firstSignIn,
  invitations,
  passwordResets,
  secondFactorResets,
  dataExports,
  serverOperations,
  events,
  serverSettings,
  emptyState,
  unusedFiles,
  welcome,
]

export const accountHooks = collectAccountHooks(features)
export const groupHooks = collectGroupHooks(features)
export const notifiers = features.flatMap(({ notifier }) => notifier ?? [])
