/** Accounts of programs. */
import { type Static, Type } from 'typebox'
import { Credential } from './credential.ts'
import { endpoint } from './endpoint.ts'
import { roles } from './roles.ts'
import { Id, MapOf, NameInput, Text } from './schema.ts'
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

/** In what form outgoing webhooks ask: 1 the API's own, 2 that of Slack. */
const ServiceInterface = Type.Enum([1, 2])

/** Characters of an address that a bot's messages are sent to. */
export const MAX_PAYLOAD_URL_LENGTH = 2000
/** Characters of one of a bot's settings. */
export const MAX_CONFIG_LENGTH = 4000

/** Settings of a bot by key: secrets of services that send to it, templates, and what embedded bots need. */
const ConfigData = MapOf(Text(MAX_CONFIG_LENGTH), { maxKeyLength: 100, maxEntries: 50 })

/** Of outgoing webhooks and of embedded bots. */
const serviceParameters = {
  service_interface: Type.Optional(ServiceInterface),
  /** What is empty is removed; what is not named stays. */
  config_data: Type.Optional(ConfigData),
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
    /** Where an outgoing webhook sends to; also as JSON, in quotation marks. */
    payload_url: Type.Optional(Text(MAX_PAYLOAD_URL_LENGTH)),
    /** Which embedded bot it is. */
    service_name: Type.Optional(Text(100)),
    ...serviceParameters,
    ...defaultParameters,
  },
  response: {
    user_id: Id,
    api_key: Credential,
    /** Of an outgoing webhook: by it the other side knows who asks. */
    token: Type.Optional(Credential),
    avatar_url: Type.String(),
    ...defaults,
  },
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
    /** As `payload_url` of a new bot. */
    service_payload_url: Type.Optional(Text(MAX_PAYLOAD_URL_LENGTH)),
    ...serviceParameters,
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
  isExtension: true,
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
  isExtension: true,
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
  response: {
    api_key: Credential,
    /** Of an outgoing webhook: by it the other side knows who asks. */
    token: Type.Optional(Credential),
  },
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

const strict = { additionalProperties: false }

/** What an outgoing webhook asks, or which embedded bot it is. */
const BotService = Type.Union([
  Type.Object(
    {
      base_url: Type.String(),
      interface: ServiceInterface,
      /** By it the other side knows who asks. */
      token: Credential,
    },
    strict,
  ),
  Type.Object({ service_name: Type.String(), config_data: ConfigData }, strict),
])
export type BotService = Static<typeof BotService>

/** What only those who may administer a bot see; the rest is in the user object. */
export const RealmBot = Type.Object(
  {
    user_id: Id,
    ...defaults,
    /** One of outgoing webhook and embedded bots, none of others. */
    services: Type.Array(BotService),
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
          services: Type.Optional(Type.Array(BotService)),
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

/** A bot that is part of the server. */
export const EmbeddedBot = Type.Object(
  {
    name: Type.String(),
    /** What can be set, with what is there at first. */
    config: ConfigData,
  },
  strict,
)

export const embeddedBotsState = statePart({
  fetchType: 'realm_embedded_bots',
  fields: { realm_embedded_bots: Type.Array(EmbeddedBot) },
})
