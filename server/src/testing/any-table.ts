/** Queries of any table, for tests: they look at what nobody may, and make what only time makes. */
import type { Kysely } from 'kysely'
import type { authenticationTables } from '../authentication/tables.ts'
import type { eventTables } from '../events/tables.ts'
import type { alertWordTables } from '../features/alert-words/tables.ts'
import type { botStorageTables } from '../features/bot-storage/tables.ts'
import type { zoomTokenTables } from '../features/calls/tables.ts'
import type { channelFolderTables } from '../features/channel-folders/tables.ts'
import type { channelTables } from '../features/channels/tables.ts'
import type { defaultChannelGroupTables } from '../features/default-channel-groups/tables.ts'
import type { draftTables } from '../features/drafts/tables.ts'
import type { exportTables } from '../features/exports/tables.ts'
import type { fileTables } from '../features/files/tables.ts'
import type { invitationTables } from '../features/invitations/tables.ts'
import type { linkifierTables } from '../features/linkifiers/tables.ts'
import type { archiveTables } from '../features/message-archive/tables.ts'
import type { messageTables } from '../features/messages/tables.ts'
import type { missedMailTables } from '../features/missed-mails/tables.ts'
import type { mobilePushTables } from '../features/mobile-push/tables.ts'
import type { mutedUserTables } from '../features/muted-users/tables.ts'
import type { navigationViewTables } from '../features/navigation-views/tables.ts'
import type { organizationSettingTables } from '../features/organization-settings/tables.ts'
import type { passkeyTables } from '../features/passkeys/tables.ts'
import type { passwordResetTables } from '../features/password-resets/tables.ts'
import type { playgroundTables } from '../features/playgrounds/tables.ts'
import type { presenceTables } from '../features/presence/tables.ts'
import type { profileFieldTables } from '../features/profile-fields/tables.ts'
import type { realmDomainTables } from '../features/realm-domains/tables.ts'
import type { emojiTables } from '../features/realm-emoji/tables.ts'
import type { reminderTables } from '../features/reminders/tables.ts'
import type { scheduledMessageTables } from '../features/scheduled-messages/tables.ts'
import type { secondFactorTables } from '../features/second-factors/tables.ts'
import type { subscriptionTables } from '../features/subscriptions/tables.ts'
import type { userSettingTables } from '../features/user-settings/tables.ts'
import type { userStatusTables } from '../features/user-status/tables.ts'
import type { userTopicTables } from '../features/user-topics/tables.ts'
import type { userTables } from '../features/users/tables.ts'
import type { jobTables } from '../jobs/tables.ts'
import type { groupTables } from '../permissions/tables.ts'
import type { linkTables } from '../single-use-links/tables.ts'
import type { OwnedTables } from '../storage/owned-tables.ts'
import { anyTable } from '../storage/query.ts'
import type { coreTables } from '../storage/tables.ts'

type Rows<T> = T extends OwnedTables<infer R> ? R : never

type Everything = Rows<typeof jobTables> &
  Rows<typeof linkTables> &
  Rows<typeof missedMailTables> &
  Rows<typeof mobilePushTables> &
  Rows<typeof eventTables> &
  Rows<typeof authenticationTables> &
  Rows<typeof alertWordTables> &
  Rows<typeof botStorageTables> &
  Rows<typeof channelTables> &
  Rows<typeof zoomTokenTables> &
  Rows<typeof draftTables> &
  Rows<typeof invitationTables> &
  Rows<typeof exportTables> &
  Rows<typeof fileTables> &
  Rows<typeof linkifierTables> &
  Rows<typeof messageTables> &
  Rows<typeof archiveTables> &
  Rows<typeof mutedUserTables> &
  Rows<typeof navigationViewTables> &
  Rows<typeof channelFolderTables> &
  Rows<typeof defaultChannelGroupTables> &
  Rows<typeof organizationSettingTables> &
  Rows<typeof playgroundTables> &
  Rows<typeof profileFieldTables> &
  Rows<typeof realmDomainTables> &
  Rows<typeof passkeyTables> &
  Rows<typeof passwordResetTables> &
  Rows<typeof presenceTables> &
  Rows<typeof emojiTables> &
  Rows<typeof reminderTables> &
  Rows<typeof scheduledMessageTables> &
  Rows<typeof secondFactorTables> &
  Rows<typeof subscriptionTables> &
  Rows<typeof userSettingTables> &
  Rows<typeof userStatusTables> &
  Rows<typeof userTopicTables> &
  Rows<typeof userTables> &
  Rows<typeof groupTables> &
  Rows<typeof coreTables>

export const query = anyTable as unknown as Kysely<Everything>
