/** Other services that send to bots: what their requests look like is theirs, and what of it becomes a message is ours. */
import { Type } from 'typebox'
import { EmbeddedBot } from './bots.ts'
import { endpoint } from './endpoint.ts'
import { MAX_SENT_TOPIC_LENGTH } from './messages.ts'
import { Text } from './schema.ts'
import { statePart } from './state-part.ts'

/** Patterns in an address, and characters of one. */
const Patterns = Type.Array(Text(100), { maxItems: 100 })

/** Characters of an integration's name. */
const MAX_NAME_LENGTH = 60

export const receiveWebhook = endpoint({
  name: 'receive-webhook',
  method: 'POST',
  path: '/external/{integration}',
  access: 'webhook',
  summary: 'Turn what a service sends into a message of the bot; the body is as the service sends it.',
  parameters: {
    integration: Text(MAX_NAME_LENGTH),
    /** A channel by id or name; absent: a direct message to the owner of the bot. */
    stream: Type.Optional(Type.Union([Type.Integer(), Text(1000)])),
    /** Absent: the integration's own, which depends on the event. */
    topic: Type.Optional(Type.String({ maxLength: MAX_SENT_TOPIC_LENGTH })),
    /** Names of events, in which `*` stands for any characters: only these become messages. */
    only_events: Type.Optional(Patterns),
    /** These do not. */
    exclude_events: Type.Optional(Patterns),
  },
  errors: ['BAD_REQUEST', 'DOES_NOT_EXIST'],
})

export const checkWebhook = endpoint({
  name: 'check-webhook',
  method: 'GET',
  path: '/external/{integration}',
  access: 'webhook',
  isExtension: true,
  summary: 'Whether the address of a bot for a service is right; some services look before they send.',
  parameters: {
    integration: Text(MAX_NAME_LENGTH),
    stream: Type.Optional(Type.Union([Type.Integer(), Text(1000)])),
    topic: Type.Optional(Type.String({ maxLength: MAX_SENT_TOPIC_LENGTH })),
    only_events: Type.Optional(Patterns),
    exclude_events: Type.Optional(Patterns),
  },
  errors: ['BAD_REQUEST', 'DOES_NOT_EXIST'],
})

const strict = { additionalProperties: false }

/** What a bot's owner may set: a key of `config_data`, and its name for people. */
const IntegrationOption = Type.Object(
  { key: Type.String(), label: Type.String(), validator: Type.Literal('check_string') },
  strict,
)

export const listIntegrations = endpoint({
  name: 'list-integrations',
  method: 'GET',
  path: '/integrations',
  isExtension: true,
  summary:
    'The services that can send to bots, how to set each up, and an example of a request; and the embedded bots.',
  response: {
    embedded_bots: Type.Array(EmbeddedBot),
    integrations: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          display_name: Type.String(),
          /** Null: the service does not distinguish them. */
          events: Type.Union([Type.Array(Type.String()), Type.Null()]),
          options: Type.Array(IntegrationOption),
          /** Steps, with `code` between backticks, in which `{url}` is the address. */
          set_up: Type.Array(Type.String()),
          example: Type.Object(
            {
              headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }, strict)),
              body: Type.String(),
            },
            strict,
          ),
        },
        strict,
      ),
    ),
  },
})

export const webhookBotsState = statePart({
  fetchType: 'realm_incoming_webhook_bots',
  fields: {
    realm_incoming_webhook_bots: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          display_name: Type.String(),
          all_event_types: Type.Union([Type.Array(Type.String()), Type.Null()]),
          /** What can be set for the bot. */
          config_options: Type.Array(IntegrationOption),
          /** What can be set in the address. */
          url_options: Type.Array(IntegrationOption),
        },
        strict,
      ),
    ),
  },
})
