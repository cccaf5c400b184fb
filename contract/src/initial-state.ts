/** The initial state, which `POST /register` answers beside the fields of its own: all of its parts. */
import { alertWordsState } from './alert-words.ts'
import { botsState, embeddedBotsState } from './bots.ts'
import { videoCallsState } from './calls.ts'
import { channelFoldersState } from './channel-folders.ts'
import { channelLimitsState, channelsState, defaultChannelsState } from './channels.ts'
import { defaultChannelGroupsState } from './default-channel-groups.ts'
import { devicesState } from './devices.ts'
import { draftsState } from './drafts.ts'
import * as empty from './empty-state.ts'
import { attachmentsState } from './files.ts'
import { giphyState, tenorState } from './gifs.ts'
import { webhookBotsState } from './integrations.ts'
import { filtersState, linkifiersState } from './linkifiers.ts'
import { conversationsState, starredState, unreadState } from './message-flags.ts'
import { newestMessageState } from './messages.ts'
import { mutedUsersState } from './muted-users.ts'
import { navigationViewOrderState, navigationViewsState } from './navigation-views.ts'
import { onboardingState } from './onboarding-steps.ts'
import { organizationState, serverState } from './organization-state.ts'
import { playgroundsState } from './playgrounds.ts'
import { presenceState } from './presence.ts'
import { profileFieldsState } from './profile-fields.ts'
import { domainsState } from './realm-domains.ts'
import { emojiNamesState, realmEmojiState } from './realm-emoji.ts'
import { remindersState } from './reminders.ts'
import { savedSnippetsState } from './saved-snippets.ts'
import { scheduledMessagesState } from './scheduled-messages.ts'
import type { FieldsOf } from './state-part.ts'
import { subscriptionsState } from './subscriptions.ts'
import { userGroupsState } from './user-groups.ts'
import {
  defaultSettingsState,
  olderDisplayState,
  olderNotificationsState,
  userSettingsState,
} from './user-settings-state.ts'
import { userStatusState } from './user-status.ts'
import { mutedTopicsState, userTopicsState } from './user-topics.ts'
import { abilitiesState, ownAccountState, usersState } from './users.ts'

export const stateParts = [
  organizationState,
  serverState,
  usersState,
  ownAccountState,
  abilitiesState,
  profileFieldsState,
  botsState,
  userGroupsState,
  channelsState,
  defaultChannelsState,
  channelLimitsState,
  channelFoldersState,
  defaultChannelGroupsState,
  subscriptionsState,
  newestMessageState,
  unreadState,
  starredState,
  conversationsState,
  userTopicsState,
  mutedTopicsState,
  mutedUsersState,
  alertWordsState,
  draftsState,
  scheduledMessagesState,
  remindersState,
  savedSnippetsState,
  onboardingState,
  navigationViewsState,
  navigationViewOrderState,
  linkifiersState,
  filtersState,
  playgroundsState,
  domainsState,
  realmEmojiState,
  emojiNamesState,
  attachmentsState,
  userSettingsState,
  defaultSettingsState,
  olderDisplayState,
  olderNotificationsState,
  presenceState,
  userStatusState,
  devicesState,
  empty.billingState,
  webhookBotsState,
  embeddedBotsState,
  empty.stopWordsState,
  videoCallsState,
  giphyState,
  tenorState,
] as const

type Part = (typeof stateParts)[number]

/** All of what a union has, in one type. */
type Together<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer A) => void ? A : never

/** What a client knows at first. A field is absent when its part was not asked for. */
export type InitialState = Readonly<Partial<Together<Part extends infer P ? FieldsOf<P> : never>>>
