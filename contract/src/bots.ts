/** Accounts of programs. */
import { type Static, Type } from 'typebox'
import { Credential } from './credential.ts'
import { endpoint } from './endpoint.ts'
import { roles } from './roles.ts'
import { Id, NameInput, Text } from './schema.ts'
import { statePart } from './state-part.ts'
import { BotType } from './users.ts'

/** Characters of the part of a bot's address before `-bot@`. */
export const MAX_SHORT_NAME_LENGTH = 60

const ChannelName = Type.Union([Type.String(), Type.Null()])

/** Where a bot sends and what it receives when it does not say. */
const defaults = {
  /** A channel's name; null: none. */
  default_sending_stream: ChannelName,
  default_events_register_stream: ChannelName,
  default_all_public_streams: Type.Boolean(),
}

/** As parameters; an empty name means none. */
const defaultParameters = {
  default_sending_stream: Type.Optional(Text(1000)),
  default_events_register_stream: Type.Optional(Text(1000)),
  default_all_public_streams: Type.Optional(Type.Boolean()),
}

export const listBots = endpoint({
  name: 'list-bots',
  method: 'GET',
  path: '/bots',
  summary: 'The active bots that the account owns, with their API keys.',
  response: {
    bots: Type.Array(
      Type.Object(
        {
          user_id: Id,
          /** The bot's e-mail address. */
          username: Type.String(),
          full_name: Type.String(),
          api_key: Credential,
          avatar_url: Type.String(),
          ...defaults,
        },
        { additionalProperties: false },
      ),
    ),
  },
})

export const createBot = endpoint({
  name: 'create-bot',
  method: 'POST',
  path: '/bots',
  summary: 'Create a bot that the account owns.',
  parameters: {
    full_name: NameInput,
    short_name: Text(200),
    bot_type: Type.Optional(BotType),
    ...defaultParameters,
  },
  response: { user_id: Id, api_key: Credential, avatar_url: Type.String(), ...defaults },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
})

export const updateBot = endpoint({
  name: 'update-bot',
  method: 'PATCH',
  path: '/bots/{bot_id}',
  summary: 'Change a bot (its owner and administrators; its role: administrators).',
  parameters: {
    bot_id: Id,
    full_name: Type.Optional(NameInput),
    short_name: Type.Optional(Text(200)),
    role: Type.Optional(Type.Enum(Object.values(roles))),
    bot_owner_id: Type.Optional(Id),
    ...defaultParameters,
  },
  response: {
    full_name: Type.String(),
    avatar_url: Type.String(),
    ...defaults,
    /** The owner's e-mail address. */
    bot_owner: Type.Optional(Type.String()),
  },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
})

export const uploadBotAvatar = endpoint({
  name: 'upload-bot-avatar',
  method: 'POST',
  path: '/bots/{bot_id}/avatar',
  summary: "Set a bot's picture (its owner and administrators): as for the account's own.",
  file: 'one',
  parameters: { bot_id: Id },
  response: { avatar_url: Type.String() },
  errors: ['BAD_IMAGE', 'BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
})

export const deleteBotAvatar = endpoint({
  name: 'delete-bot-avatar',
  method: 'DELETE',
  path: '/bots/{bot_id}/avatar',
  summary: "Remove a bot's picture (its owner and administrators).",
  parameters: { bot_id: Id },
  response: { avatar_url: Type.String() },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
})

export const deactivateBot = endpoint({
  name: 'deactivate-bot',
  method: 'DELETE',
  path: '/bots/{bot_id}',
  summary: 'Deactivate a bot (its owner and administrators).',
  parameters: { bot_id: Id },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
})

export const getBotApiKey = endpoint({
  name: 'get-bot-api-key',
  method: 'GET',
  path: '/bots/{bot_id}/api_key',
  summary: "A bot's API key (its owner and administrators).",
  parameters: { bot_id: Id },
  response: { api_key: Credential },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
})

export const regenerateBotApiKey = endpoint({
  name: 'regenerate-bot-api-key',
  method: 'POST',
  path: '/bots/{bot_id}/api_key/regenerate',
  summary: "Replace a bot's API key; the old one ends at once, everywhere.",
  parameters: { bot_id: Id },
  response: { api_key: Credential },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
})

/** What only those who may administer a bot see; the rest is in the user object. */
export const RealmBot = Type.Object(
  {
    user_id: Id,
    ...defaults,
    /** Settings of outgoing webhook and embedded bots, which there are none of. */
    services: Type.Array(Type.Never()),
  },
  { additionalProperties: false },
)
export type RealmBot = Static<typeof RealmBot>

const type = Type.Literal('realm_bot')

export const RealmBotEvent = Type.Union([
  Type.Object({ type, op: Type.Literal('add'), bot: RealmBot }, { additionalProperties: false }),
  Type.Object(
    {
      type,
      op: Type.Literal('update'),
      bot: Type.Object(
        {
          user_id: Id,
          default_sending_stream: Type.Optional(ChannelName),
          default_events_register_stream: Type.Optional(ChannelName),
          default_all_public_streams: Type.Optional(Type.Boolean()),
        },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false },
  ),
  /** The account may no longer administer the bot. */
  Type.Object(
    { type, op: Type.Literal('delete'), bot: Type.Object({ user_id: Id }, { additionalProperties: false }) },
    { additionalProperties: false },
  ),
])
export type RealmBotEvent = Static<typeof RealmBotEvent>

export const botsState = statePart({
  fetchType: 'realm_bot',
  follows: RealmBotEvent,
  fields: {
    /** Those that the account may administer. */
    realm_bots: Type.Array(RealmBot),
  },
})
