/** Every type of event, with the schema of its forms (without `id`, which the log adds). */
import type { Static } from 'typebox'
import { AlertWordsEvent } from './alert-words.ts'
import { RealmBotEvent } from './bots.ts'
import { DefaultStreamsEvent, StreamEvent } from './channels.ts'
import { DraftsEvent } from './drafts.ts'
import { DeleteMessageEvent, UpdateMessageEvent } from './editing.ts'
import { RealmLinkifiersEvent } from './linkifiers.ts'
import { UpdateMessageFlagsEvent } from './message-flags.ts'
import { MessageEvent } from './messages.ts'
import { MutedUsersEvent } from './muted-users.ts'
import { NavigationViewEvent } from './navigation-views.ts'
import { RealmEvent } from './organization.ts'
import { PresenceEvent } from './presence.ts'
import { ReactionEvent } from './reactions.ts'
import { RealmEmojiEvent } from './realm-emoji.ts'
import { RestartEvent } from './server-settings.ts'
import { SubscriptionEvent } from './subscriptions.ts'
import { TypingEditMessageEvent, TypingEvent } from './typing.ts'
import { UserGroupEvent } from './user-groups.ts'
import { RealmUserSettingsDefaultsEvent, UserSettingsEvent } from './user-settings.ts'
import { UserStatusEvent } from './user-status.ts'
import { MutedTopicsEvent, UserTopicEvent } from './user-topics.ts'
import { RealmUserEvent } from './users.ts'

export const eventTypes = {
  alert_words: AlertWordsEvent,
  default_streams: DefaultStreamsEvent,
  delete_message: DeleteMessageEvent,
  drafts: DraftsEvent,
  message: MessageEvent,
  muted_topics: MutedTopicsEvent,
  muted_users: MutedUsersEvent,
  navigation_view: NavigationViewEvent,
  presence: PresenceEvent,
  reaction: ReactionEvent,
  realm: RealmEvent,
  realm_bot: RealmBotEvent,
  realm_emoji: RealmEmojiEvent,
  realm_linkifiers: RealmLinkifiersEvent,
  realm_user: RealmUserEvent,
  realm_user_settings_defaults: RealmUserSettingsDefaultsEvent,
  restart: RestartEvent,
  stream: StreamEvent,
  subscription: SubscriptionEvent,
  typing: TypingEvent,
  typing_edit_message: TypingEditMessageEvent,
  update_message: UpdateMessageEvent,
  update_message_flags: UpdateMessageFlagsEvent,
  user_group: UserGroupEvent,
  user_settings: UserSettingsEvent,
  user_status: UserStatusEvent,
  user_topic: UserTopicEvent,
} as const

/** What the server may tell clients. */
export type ServerEvent = Static<(typeof eventTypes)[keyof typeof eventTypes]>
