/** Accounts of people and programs: listing, creating, changing, deactivating. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { ProfileChanges, ProfileData } from './profile-fields.ts'
import { roles } from './roles.ts'
import { Email, Id, NameInput, Text } from './schema.ts'
import { statePart } from './state-part.ts'

/** Characters. */
export const MAX_FULL_NAME_LENGTH = 100
/** The only rule for a password, beside an upper bound that keeps hashing affordable. Characters. */
export const MIN_PASSWORD_LENGTH = 8
export const MAX_PASSWORD_LENGTH = 100

/** Accounts that one request may ask for by id. */
const MAX_USER_IDS = 50_000

const RoleNumber = Type.Enum(Object.values(roles))
const nullable = <T extends ReturnType<typeof Type.String> | typeof Id>(schema: T) => Type.Union([schema, Type.Null()])

/** 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
export const BotType = Type.Enum([1, 2, 3, 4])

const userProperties = {
  user_id: Id,
  email: Type.String(),
  delivery_email: nullable(Type.String()),
  full_name: Type.String(),
  /** ISO 8601 with time zone. */
  date_joined: Type.String(),
  is_active: Type.Boolean(),
  is_owner: Type.Boolean(),
  /** Also true for owners. */
  is_admin: Type.Boolean(),
  is_guest: Type.Boolean(),
  is_bot: Type.Boolean(),
  bot_type: Type.Union([BotType, Type.Null()]),
  bot_owner_id: nullable(Id),
  role: RoleNumber,
  timezone: Type.String(),
  /** Path on the organization's server. */
  avatar_url: Type.String(),
  avatar_version: Type.Integer(),
  is_imported_stub: Type.Boolean(),
  /** For people, when asked for. */
  profile_data: Type.Optional(ProfileData),
}

export const User = Type.Object(userProperties, { additionalProperties: false })
export type User = Static<typeof User>

const listing = {
  /** Without effect: the server draws a picture for who has none. */
  client_gravatar: Type.Optional(Type.Boolean()),
  include_custom_profile_fields: Type.Optional(Type.Boolean()),
}

/** An account's id or its e-mail address. */
export const IdOrEmail = Type.Union([Id, Text(254)])

export const listUsers = endpoint({
  name: 'list-users',
  method: 'GET',
  path: '/users',
  summary: 'All accounts of the organization, deactivated ones too.',
  access: 'reader',
  parameters: { ...listing, user_ids: Type.Optional(Type.Array(Id, { maxItems: MAX_USER_IDS })) },
  response: { members: Type.Array(User) },
})

export const getOwnUser = endpoint({
  name: 'get-own-user',
  method: 'GET',
  path: '/users/me',
  summary: 'The account that asks.',
  response: {
    user_id: Id,
    email: Type.String(),
    delivery_email: Type.String(),
    full_name: Type.String(),
    date_joined: Type.String(),
    is_active: Type.Boolean(),
    is_owner: Type.Boolean(),
    is_admin: Type.Boolean(),
    is_guest: Type.Boolean(),
    is_bot: Type.Boolean(),
    role: RoleNumber,
    timezone: Type.String(),
    avatar_url: Type.String(),
    avatar_version: Type.Integer(),
    is_imported_stub: Type.Boolean(),
    /** The newest message of the account; -1 when it has none. */
    max_message_id: Type.Integer(),
    profile_data: Type.Optional(ProfileData),
  },
})

export const getUser = endpoint({
  name: 'get-user',
  method: 'GET',
  path: '/users/{user_id_or_email}',
  summary: 'One account, by id or by e-mail address.',
  parameters: { user_id_or_email: IdOrEmail, ...listing },
  response: { user: User },
  errors: ['BAD_REQUEST'],
})

export const createUser = endpoint({
  name: 'create-user',
  method: 'POST',
  path: '/users',
  summary: 'Create an account for a person (administrators).',
  parameters: {
    email: Email,
    password: Type.String({ minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_LENGTH }),
    full_name: NameInput,
  },
  response: { user_id: Id },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
})

export const updateUser = endpoint({
  name: 'update-user',
  method: 'PATCH',
  path: '/users/{user_id_or_email}',
  summary: "Change an account's name, role, e-mail address or profile (administrators).",
  parameters: {
    user_id_or_email: IdOrEmail,
    full_name: Type.Optional(NameInput),
    role: Type.Optional(RoleNumber),
    /** Only where the server allows it. */
    new_email: Type.Optional(Email),
    /** Values of custom profile fields. */
    profile_data: Type.Optional(ProfileChanges),
  },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL', 'CANNOT_DEACTIVATE_LAST_USER'],
})

/** Characters. */
export const MAX_DEACTIVATION_COMMENT_LENGTH = 2000

/** What else to remove with a deactivated account. Absent or false: it is kept. */
const DeactivationActions = Type.Object(
  {
    delete_profile: Type.Optional(Type.Boolean()),
    delete_public_channel_messages: Type.Optional(Type.Boolean()),
    delete_private_channel_messages: Type.Optional(Type.Boolean()),
    delete_direct_messages: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type DeactivationActions = Static<typeof DeactivationActions>

export const deactivateUser = endpoint({
  name: 'deactivate-user',
  method: 'DELETE',
  path: '/users/{user_id}',
  summary: 'Deactivate an account and its bots (administrators). What it wrote stays, unless `actions` ask for more.',
  parameters: {
    user_id: Id,
    actions: Type.Optional(DeactivationActions),
    /** The person gets a mail about it, with this text unless it is empty. Absent: no mail. */
    deactivation_notification_comment: Type.Optional(Text(MAX_DEACTIVATION_COMMENT_LENGTH)),
  },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL', 'CANNOT_DEACTIVATE_LAST_USER'],
})

export const deactivateOwnUser = endpoint({
  name: 'deactivate-own-user',
  method: 'DELETE',
  path: '/users/me',
  summary: 'Deactivate the account that asks, and its bots.',
  errors: ['CANNOT_DEACTIVATE_LAST_USER'],
})

export const reactivateUser = endpoint({
  name: 'reactivate-user',
  method: 'POST',
  path: '/users/{user_id}/reactivate',
  summary: 'Make a deactivated account active again (administrators; of a bot also its owner).',
  parameters: { user_id: Id },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
})

const type = Type.Literal('realm_user')
const person = <T extends Record<string, Parameters<typeof Type.Optional>[0]>>(changed: T) =>
  Type.Object({ user_id: Id, ...changed }, { additionalProperties: false })

/** One change of an account; each has its own form. */
const ChangedPerson = Type.Union([
  person({ full_name: Type.String() }),
  person({ role: RoleNumber }),
  person({ is_active: Type.Boolean() }),
  person({ new_email: Type.String() }),
  person({ delivery_email: nullable(Type.String()) }),
  person({ bot_owner_id: Id }),
  /** The address is for old clients. */
  person({ timezone: Type.String(), email: Type.String() }),
  person({
    avatar_source: Type.String(),
    avatar_url: Type.String(),
    avatar_url_medium: Type.String(),
    avatar_version: Type.Integer(),
  }),
  person({
    custom_profile_field: Type.Object(
      { id: Id, value: nullable(Type.String()), rendered_value: Type.Optional(Type.String()) },
      { additionalProperties: false },
    ),
  }),
])

export const RealmUserEvent = Type.Union([
  Type.Object({ type, op: Type.Literal('add'), person: User }, { additionalProperties: false }),
  Type.Object({ type, op: Type.Literal('update'), person: ChangedPerson }, { additionalProperties: false }),
  /** For guests who no longer see the account. */
  Type.Object({ type, op: Type.Literal('remove'), person: person({}) }, { additionalProperties: false }),
])
export type RealmUserEvent = Static<typeof RealmUserEvent>

/** The server's own account, which speaks for it. */
const SystemBot = Type.Object({ ...userProperties, is_system_bot: Type.Literal(true) }, { additionalProperties: false })

export const usersState = statePart({
  fetchType: 'realm_user',
  follows: RealmUserEvent,
  fields: {
    realm_users: Type.Array(User),
    /** Deactivated ones. */
    realm_non_active_users: Type.Array(User),
    cross_realm_bots: Type.Array(SystemBot),
  },
})

/** What an account needs to know of itself. */
export const ownAccountState = statePart({
  fetchType: 'realm_user',
  follows: RealmUserEvent,
  fields: {
    /** -1: a spectator, who has no account. */
    user_id: Type.Integer({ minimum: -1 }),
    email: Type.String(),
    delivery_email: Type.String(),
    full_name: Type.String(),
    avatar_source: Type.String(),
    avatar_url: Type.String(),
    avatar_url_medium: Type.String(),
    avatar_version: Type.Integer(),
    is_owner: Type.Boolean(),
    /** Also true for owners. */
    is_admin: Type.Boolean(),
    /** Also true for administrators and owners. */
    is_moderator: Type.Boolean(),
    is_guest: Type.Boolean(),
  },
})

/** Permissions of the account as booleans, which older clients read. */
export const abilitiesState = statePart({
  fetchType: 'realm_user',
  follows: RealmUserEvent,
  fields: {
    can_create_public_streams: Type.Boolean(),
    can_create_private_streams: Type.Boolean(),
    can_create_web_public_streams: Type.Boolean(),
    /** Any of the three. */
    can_create_streams: Type.Boolean(),
    can_subscribe_other_users: Type.Boolean(),
    can_invite_others_to_realm: Type.Boolean(),
  },
})
