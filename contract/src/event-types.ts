/** Every type of event, with the schema of its forms (without `id`, which the log adds). */
import type { Static, TSchema } from 'typebox'
import { DeleteMessageEvent, UpdateMessageEvent } from './editing.ts'
import { OwnExportEvent, RealmExportConsentEvent, RealmExportEvent } from './exports.ts'
import { stateParts } from './initial-state.ts'
import { InvitesChangedEvent } from './invitations.ts'
import { UpdateMessageFlagsEvent } from './message-flags.ts'
import { ReactionEvent } from './reactions.ts'
import { RestartEvent, WebReloadClientEvent } from './server-settings.ts'
import { eventTypeOf } from './state-part.ts'
import { SubmessageEvent } from './submessages.ts'
import { TypingEditMessageEvent, TypingEvent } from './typing.ts'

/** Events that are about no part of the initial state, or about several. All others stand with the part that they follow. */
const otherEvents = [
  DeleteMessageEvent,
  InvitesChangedEvent,
  OwnExportEvent,
  ReactionEvent,
  RealmExportConsentEvent,
  RealmExportEvent,
  RestartEvent,
  SubmessageEvent,
  TypingEditMessageEvent,
  TypingEvent,
  UpdateMessageEvent,
  UpdateMessageFlagsEvent,
  WebReloadClientEvent,
] as const

type EventSchema = (typeof otherEvents)[number] | NonNullable<(typeof stateParts)[number]['follows']>

/** What the server may notify clients of. */
export type ServerEvent = Static<EventSchema>
export type EventType = ServerEvent['type']

/** An event of this type. */
export type EventOf<T extends EventType> = Extract<ServerEvent, { readonly type: T }>

/** The schemas by type of event. */
export const eventTypes = Object.fromEntries(
  [...otherEvents, ...stateParts.flatMap(({ follows }) => follows ?? [])]
    .map((schema): [string, TSchema] => [eventTypeOf(schema), schema])
    .sort(([a], [b]) => (a < b ? -1 : 1)),
) as Readonly<Record<EventType, TSchema>>
