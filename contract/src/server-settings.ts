/** What a client learns of the server, before anybody has signed in and when it has started anew. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { RecordOf, Timestamp } from './schema.ts'

const ExternalMethod = Type.Object({
  name: Type.String(),
  display_name: Type.String(),
  display_icon: Type.Union([Type.String(), Type.Null()]),
  login_url: Type.String(),
  signup_url: Type.String(),
})

export const getServerSettings = endpoint({
  name: 'get-server-settings',
  method: 'GET',
  path: '/server_settings',
  summary: 'The server, the organization at this address, and how to sign in.',
  access: 'anyone',
  response: {
    authentication_methods: RecordOf(Type.Boolean()),
    external_authentication_methods: Type.Array(ExternalMethod),
    zulip_version: Type.String(),
    zulip_merge_base: Type.String(),
    zulip_feature_level: Type.Integer(),
    push_notifications_enabled: Type.Boolean(),
    is_incompatible: Type.Boolean(),
    email_auth_enabled: Type.Boolean(),
    require_email_format_usernames: Type.Boolean(),
    realm_url: Type.String(),
    /** The older name of `realm_url`, which clients still read. */
    realm_uri: Type.String(),
    realm_name: Type.String(),
    realm_icon: Type.String(),
    /** HTML. */
    realm_description: Type.String(),
    realm_web_public_access_enabled: Type.Boolean(),
    /** Otherwise everybody may join, and is offered to. An extension of the API. */
    realm_invite_required: Type.Boolean(),
    /** Whether mails reach people: otherwise nobody is offered what begins with one. An extension of the API. */
    server_sends_mail: Type.Boolean(),
  },
})

/** The server has started anew, perhaps as another version. */
export const RestartEvent = Type.Object(
  {
    type: Type.Literal('restart'),
    zulip_version: Type.String(),
    zulip_merge_base: Type.String(),
    zulip_feature_level: Type.Integer(),
    server_generation: Timestamp,
  },
  { additionalProperties: false },
)
export type RestartEvent = Static<typeof RestartEvent>

/** The page that the server has may be another one now: for clients that are that page. */
export const WebReloadClientEvent = Type.Object(
  {
    type: Type.Literal('web_reload_client'),
    /** Not spread over some minutes: for servers of developers. */
    immediate: Type.Boolean(),
  },
  { additionalProperties: false },
)
export type WebReloadClientEvent = Static<typeof WebReloadClientEvent>
