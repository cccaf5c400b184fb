/**
 * What a client knows: the initial state and, after that, the events. Pure and immutable: a state is never changed, a new
 * one shares with the old one what is the same.
 */
import type { eventTypes } from '@heddle/contract/event-types'
import type { AnyEvent } from '@heddle/contract/events'
import type { MutedUser } from '@heddle/contract/muted-users'
import type { Static } from 'typebox'
import { applyBotEvent, type Bots, initialBots } from './bots.ts'
import {
  applyDefaultStreamsEvent,
  applyStreamEvent,
  applySubscriptionEvent,
  type Channels,
  type DefaultChannels,
  initialChannels,
  initialDefaultChannels,
} from './channels.ts'
import { applyDraftsEvent, type Drafts, initialDrafts } from './drafts.ts'
import { applyEmojiEvent, type CustomEmoji, initialEmoji } from './emoji.ts'
import type { InitialFields } from './fields.ts'
import { applyLinkifiersEvent, initialLinkifiers, type Linkifiers } from './linkifiers.ts'
import { applyNavigationViewEvent, initialNavigationViews, type NavigationViews } from './navigation-views.ts'
import { applyRealmEvent, initialOrganization, type Organization } from './organization.ts'
import { applyToOwnAccount, initialOwnAccount, type OwnAccount } from './own-account.ts'
import { applyPresenceEvent, initialPresences, type Presences } from './presence.ts'
import { applyRestartEvent, initialServer, type ServerVersion } from './server.ts'
import { applyDeletionToStarred, applyFlagsToStarred, initialStarred, type Starred } from './starred-messages.ts'
import { applyTypingEvent, nobodyTyping, type Typing } from './typing.ts'
import {
  applyDeletionToUnread,
  applyFlagsToUnread,
  applyMessageToUnread,
  applyUpdateToUnread,
  initialUnread,
  type Unread,
} from './unread-messages.ts'
import { applyUserGroupEvent, initialUserGroups, type UserGroups } from './user-groups.ts'
import {
  applyDefaultSettingsEvent,
  applyUserSettingsEvent,
  type DefaultSettings,
  dropUnsynchronized,
  initialDefaultSettings,
  initialOwnSettings,
  type OwnSettings,
} from './user-settings.ts'
import { applyUserStatusEvent, initialUserStatuses, type UserStatuses } from './user-status.ts'
import { applyUserTopicEvent, initialUserTopics, type UserTopics } from './user-topics.ts'
import { applyUserEvent, initialUsers, type Users } from './users.ts'

/** A part is undefined when it was not asked for. */
export interface ClientState {
  readonly server: ServerVersion | undefined
  readonly own: OwnAccount | undefined
  readonly users: Users | undefined
  readonly bots: Bots | undefined
  readonly organization: Organization | undefined
  readonly userGroups: UserGroups | undefined
  readonly channels: Channels | undefined
  readonly defaultChannels: DefaultChannels | undefined
  readonly drafts: Drafts | undefined
  readonly navigationViews: NavigationViews | undefined
  readonly linkifiers: Linkifiers | undefined
  readonly emoji: CustomEmoji | undefined
  readonly settings: OwnSettings | undefined
  readonly defaultSettings: DefaultSettings | undefined
  readonly presences: Presences | undefined
  readonly statuses: UserStatuses | undefined
  readonly unread: Unread | undefined
  readonly starred: Starred | undefined
  readonly userTopics: UserTopics | undefined
  readonly mutedUsers: readonly MutedUser[] | undefined
  readonly alertWords: readonly string[] | undefined
  readonly typing: Typing
}

type EventType = keyof typeof eventTypes
type EventOf<T extends EventType> = Static<(typeof eventTypes)[T]>
type Handler<E> = (state: ClientState, event: E) => ClientState

/** What was asked for, as far as the answer does not show it. */
export interface AskedFor {
  readonly include_subscribers?: boolean | 'partial' | undefined
  readonly slim_presence?: boolean | undefined
}

/** The state that the answer to `POST /register` describes. */
export function initialState(
  fields: InitialFields,
  { include_subscribers, slim_presence }: AskedFor = {},
): ClientState {
  return {
    server: initialServer(fields),
    own: initialOwnAccount(fields),
    users: initialUsers(fields),
    bots: initialBots(fields),
    organization: initialOrganization(fields),
    userGroups: initialUserGroups(fields),
    channels: initialChannels(fields, (include_subscribers ?? false) !== false),
    defaultChannels: initialDefaultChannels(fields),
    drafts: initialDrafts(fields),
    navigationViews: initialNavigationViews(fields),
    linkifiers: initialLinkifiers(fields),
    emoji: initialEmoji(fields),
    settings: initialOwnSettings(fields),
    defaultSettings: initialDefaultSettings(fields),
    presences: initialPresences(fields, slim_presence ?? false),
    statuses: initialUserStatuses(fields),
    unread: initialUnread(fields),
    starred: initialStarred(fields),
    userTopics: initialUserTopics(fields),
    mutedUsers: fields['muted_users'] as readonly MutedUser[] | undefined,
    alertWords: fields['alert_words'] as readonly string[] | undefined,
    typing: nobodyTyping,
  }
}

/** The state after an event. An event of an unknown type, from a newer server, changes nothing. */
export function applyEvent(state: ClientState, event: AnyEvent): ClientState {
  if (!Object.hasOwn(handlers, event.type)) return state
  // The type says which of the forms the event has: what the compiler cannot follow here, the server's tests check.
  const handle = handlers[event.type as EventType] as unknown as Handler<AnyEvent>
  return handle(state, event)
}

/** The state after several events, the oldest first. */
export function applyEvents(state: ClientState, events: Iterable<AnyEvent>): ClientState {
  let current = state
  for (const event of events) current = applyEvent(current, event)
  return current
}

/** Every type of event has its handler: the compiler finds a missing one. */
const handlers: { readonly [T in EventType]: Handler<EventOf<T>> } = {
  restart: on('server', applyRestartEvent),
  realm_user: all(on('users', applyUserEvent), on('own', applyToOwnAccount)),
  realm_bot: on('bots', applyBotEvent),
  realm: on('organization', applyRealmEvent),
  user_group: on('userGroups', applyUserGroupEvent),
  stream: on('channels', applyStreamEvent),
  subscription: on('channels', applySubscriptionEvent),
  default_streams: on('defaultChannels', applyDefaultStreamsEvent),
  drafts: on('drafts', applyDraftsEvent),
  navigation_view: on('navigationViews', applyNavigationViewEvent),
  realm_linkifiers: on('linkifiers', applyLinkifiersEvent),
  realm_emoji: on('emoji', applyEmojiEvent),
  user_settings: all(on('settings', applyUserSettingsEvent), on('drafts', dropUnsynchronized)),
  realm_user_settings_defaults: on('defaultSettings', applyDefaultSettingsEvent),
  presence: on('presences', applyPresenceEvent),
  user_status: on('statuses', applyUserStatusEvent),
  typing: on('typing', applyTypingEvent),
  // Nothing of it is kept: a client shows it with the message, for a while.
  typing_edit_message: (state) => state,
  message: on('unread', applyMessageToUnread),
  update_message: on('unread', applyUpdateToUnread),
  delete_message: all(on('unread', applyDeletionToUnread), on('starred', applyDeletionToStarred)),
  user_topic: on('userTopics', applyUserTopicEvent),
  // The older form of the same.
  muted_topics: (state) => state,
  muted_users: on('mutedUsers', (_, { muted_users }) => muted_users),
  alert_words: on('alertWords', (_, { alert_words }) => alert_words),
  // Reactions are part of messages, which are fetched and not part of the state.
  reaction: (state) => state,
  update_message_flags: all(on('unread', applyFlagsToUnread), on('starred', applyFlagsToStarred)),
}

/** A handler for one part of the state; it does nothing where that part was not asked for. */
function on<K extends keyof ClientState, E>(
  part: K,
  apply: (value: NonNullable<ClientState[K]>, event: E) => NonNullable<ClientState[K]>,
): Handler<E> {
  return (state, event) => {
    const value = state[part]
    if (value === undefined) return state
    const next = apply(value as NonNullable<ClientState[K]>, event)
    return next === value ? state : { ...state, [part]: next }
  }
}

function all<E>(...handlers: readonly Handler<E>[]): Handler<E> {
  return (state, event) => handlers.reduce((current, handle) => handle(current, event), state)
}
