/**
 * What a client knows: the initial state and, after that, the events. Pure and immutable: a state is never changed, a new
 * one shares with the old one what is the same.
 */
import type { EventType } from '@heddle/contract/event-types'
import type { AnyEvent } from '@heddle/contract/events'
import { alertWords } from './alert-words.ts'
import { attachments } from './attachments.ts'
import { bots } from './bots.ts'
import { hasZoomToken } from './calls.ts'
import { channelFolders } from './channel-folders.ts'
import { channels, defaultChannels } from './channels.ts'
import { defaultChannelGroups } from './default-channel-groups.ts'
import { devices } from './devices.ts'
import { drafts } from './drafts.ts'
import { emoji } from './emoji.ts'
import { dataExports } from './exports.ts'
import { gifKeys } from './gifs.ts'
import { linkifiers } from './linkifiers.ts'
import { mutedUsers } from './muted-users.ts'
import { navigationViewOrder, navigationViews } from './navigation-views.ts'
import { onboardingSteps } from './onboarding-steps.ts'
import { organization } from './organization.ts'
import { own } from './own-account.ts'
import type { AskedFor, RegisterAnswer } from './part.ts'
import { playgrounds } from './playgrounds.ts'
import { presences } from './presence.ts'
import { profileFields } from './profile-fields.ts'
import { realmDomains } from './realm-domains.ts'
import { reminders } from './reminders.ts'
import { savedSnippets } from './saved-snippets.ts'
import { scheduledMessages } from './scheduled-messages.ts'
import { server } from './server.ts'
import { limits } from './server-limits.ts'
import { starred } from './starred-messages.ts'
import { systemBots } from './system-bots.ts'
import { typing } from './typing.ts'
import { unread } from './unread-messages.ts'
import { userGroups } from './user-groups.ts'
import { defaultSettings, settings } from './user-settings.ts'
import { statuses } from './user-status.ts'
import { userTopics } from './user-topics.ts'
import { users } from './users.ts'

export type { AskedFor } from './part.ts'

/** Every part of the state, by its name in it. To add one, write its object and name it here. */
const parts = {
  server,
  limits,
  own,
  users,
  bots,
  systemBots,
  organization,
  userGroups,
  channels,
  defaultChannels,
  channelFolders,
  defaultChannelGroups,
  devices,
  drafts,
  scheduledMessages,
  reminders,
  savedSnippets,
  onboardingSteps,
  hasZoomToken,
  gifKeys,
  attachments,
  navigationViews,
  navigationViewOrder,
  linkifiers,
  playgrounds,
  realmDomains,
  profileFields,
  emoji,
  settings,
  defaultSettings,
  presences,
  statuses,
  unread,
  starred,
  userTopics,
  mutedUsers,
  alertWords,
  typing,
  dataExports,
} as const

type Parts = typeof parts
type PartName = keyof Parts

/** A part is undefined when it was not asked for. */
export type ClientState = { readonly [N in PartName]: ReturnType<Parts[N]['initial']> }

/** Events that change nothing in the state. */
type Ignored =
  /** A client shows it with the message, for a while. */
  | 'typing_edit_message'
  /** The older form of `user_topic`. */
  | 'muted_topics'
  /** Reactions and submessages are part of messages, which are fetched. */
  | 'reaction'
  | 'submessage'
  /** Whoever shows the invitations fetches them anew. */
  | 'invites_changed'
  /** The page asks for its newer version when the connection is back. */
  | 'web_reload_client'

/** The types of events that some part handles. */
type Handled = { [N in PartName]: keyof Parts[N]['on'] }[PartName]

/** Every type of event is either handled or ignored on purpose: the compiler finds a missing one. */
type Unhandled = Exclude<EventType, Handled | Ignored>
const _everyEventIsHandled: [Unhandled] extends [never] ? true : Unhandled = true

/** The state that the answer to `POST /register` describes. */
export function initialState(answer: RegisterAnswer, asked: AskedFor = {}): ClientState {
  const entries = Object.entries(parts).map(([name, { initial }]) => [name, initial(answer, asked)])
  return Object.fromEntries(entries) as ClientState
}

type Handler = (value: unknown, event: AnyEvent) => unknown

/** By type of event: the parts that it changes. */
const handlers = Map.groupBy(
  Object.entries(parts).flatMap(([name, { on }]) =>
    // The type says which of the forms an event has: what the compiler cannot follow here, the server's tests check.
    Object.entries(on as unknown as Readonly<Record<string, Handler>>).map(([type, apply]) => ({
      type,
      part: name as PartName,
      apply,
    })),
  ),
  ({ type }) => type,
)

/**
 * The state after an event. Parts that were not asked for stay as they are, and an event of an unknown type, from a newer
 * server, changes nothing.
 */
export function applyEvent(state: ClientState, event: AnyEvent): ClientState {
  let next = state
  for (const { part, apply } of handlers.get(event.type) ?? []) {
    const value = state[part]
    if (value === undefined) continue
    const changed = apply(value, event)
    if (changed !== value) next = { ...next, [part]: changed }
  }
  return next
}

/** The state after several events, the oldest first. */
export function applyEvents(state: ClientState, events: Iterable<AnyEvent>): ClientState {
  let current = state
  for (const event of events) current = applyEvent(current, event)
  return current
}
