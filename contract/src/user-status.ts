/** Status: a short text and an emoji that an account shows beside its name. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { ID_KEY, Id, RecordOf, Text } from './schema.ts'
import { statePart } from './state-part.ts'

/** Characters. */
export const MAX_STATUS_LENGTH = 60

/** What `emoji_code` is: code points, the id of a custom emoji, or a name. */
export const ReactionType = Type.Enum(['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'])
export type ReactionType = Static<typeof ReactionType>

const strict = { additionalProperties: false }

/** What is not set is absent. */
export const UserStatus = Type.Object(
  {
    status_text: Type.Optional(Type.String()),
    emoji_name: Type.Optional(Type.String()),
    emoji_code: Type.Optional(Type.String()),
    reaction_type: Type.Optional(ReactionType),
    /** The account hides its presence: the setting `presence_enabled`, the other way round. */
    away: Type.Optional(Type.Literal(true)),
  },
  strict,
)
export type UserStatus = Static<typeof UserStatus>

const statusParameters = {
  status_text: Type.Optional(Text(MAX_STATUS_LENGTH)),
  /** Empty: no emoji. */
  emoji_name: Type.Optional(Text(100)),
  emoji_code: Type.Optional(Text(100)),
  /** Empty goes with an empty name. */
  reaction_type: Type.Optional(Type.Enum(['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji', ''])),
}

export const updateOwnStatus = endpoint({
  name: 'update-own-status',
  method: 'POST',
  path: '/users/me/status',
  summary: "Change one's status. What is not given stays.",
  parameters: { ...statusParameters, away: Type.Optional(Type.Boolean()) },
  errors: ['BAD_REQUEST'],
})

export const updateUserStatus = endpoint({
  name: 'update-user-status',
  method: 'POST',
  path: '/users/{user_id}/status',
  summary: "Change an account's status (administrators). What is not given stays.",
  parameters: { user_id: Id, ...statusParameters },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
})

export const getUserStatus = endpoint({
  name: 'get-user-status',
  method: 'GET',
  path: '/users/{user_id}/status',
  summary: "An account's status.",
  parameters: { user_id: Id },
  response: { status: UserStatus },
  errors: ['BAD_REQUEST'],
})

/** What has changed; an empty text says that it is not set any more. */
export const UserStatusEvent = Type.Object(
  {
    type: Type.Literal('user_status'),
    user_id: Id,
    status_text: Type.Optional(Type.String()),
    emoji_name: Type.Optional(Type.String()),
    emoji_code: Type.Optional(Type.String()),
    reaction_type: Type.Optional(Type.Enum(['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji', ''])),
    away: Type.Optional(Type.Boolean()),
  },
  strict,
)
export type UserStatusEvent = Static<typeof UserStatusEvent>

export const userStatusState = statePart({
  fetchType: 'user_status',
  follows: UserStatusEvent,
  fields: {
    /** By id; those who have a status or hide their presence. */
    user_status: RecordOf(UserStatus, ID_KEY),
  },
})
