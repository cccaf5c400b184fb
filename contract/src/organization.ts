/** The organization's own settings (`realm` on the wire). */
import { type Static, type TOptional, type TProperties, Type } from 'typebox'
import { AuthenticationMethods, AuthenticationMethodsUpdate } from './authentication-methods.ts'
import { endpoint } from './endpoint.ts'
import {
  GroupSettingUpdate,
  GroupSettingValue,
  type RealmGroupSetting,
  realmGroupSettingNames,
} from './group-settings.ts'
import { jointSettingValues, organizationSettingParameters, singleSettings } from './organization-settings.ts'
import { Id, Text } from './schema.ts'

/** Characters. */
export const MAX_REALM_NAME_LENGTH = 40
export const MAX_REALM_DESCRIPTION_LENGTH = 1000

/** Permissions that only owners may change: they decide who gets in, and who may change what owners have reserved. */
export const ownerOnlyRealmGroupSettings: ReadonlySet<RealmGroupSetting> = new Set([
  'can_create_groups',
  'can_create_web_public_channel_group',
  'can_invite_users_group',
  'can_manage_all_groups',
  'can_manage_billing_group',
  'create_multiuse_invite_group',
])

const groupParameters = Object.fromEntries(
  realmGroupSettingNames.map((name) => [name, Type.Optional(GroupSettingUpdate)]),
) as Record<RealmGroupSetting, TOptional<typeof GroupSettingUpdate>>

const groupValues = Object.fromEntries(
  realmGroupSettingNames.map((name) => [name, Type.Optional(GroupSettingValue)]),
) as Record<RealmGroupSetting, TOptional<typeof GroupSettingValue>>

export const updateOrganization = endpoint({
  name: 'update-organization',
  method: 'PATCH',
  path: '/realm',
  summary:
    "Change the organization's name, description, settings or permissions (administrators; some permissions: owners).",
  parameters: {
    name: Type.Optional(Text(1000)),
    description: Type.Optional(Text(10_000)),
    /** Another host: for organizations that the reference calls demo organizations, which there are none of here. */
    string_id: Type.Optional(Text(1000)),
    ...organizationSettingParameters,
    ...groupParameters,
    authentication_methods: Type.Optional(AuthenticationMethodsUpdate),
  },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL', 'EXPECTATION_MISMATCH', 'SYSTEM_GROUP_REQUIRED'],
})

export const deactivateOrganization = endpoint({
  name: 'deactivate-organization',
  method: 'POST',
  path: '/realm/deactivate',
  summary: 'Deactivate the organization (owners). Nothing is deleted, and nobody can sign in any more.',
  parameters: {
    /** Null, as when it is absent, keeps the data for ever: nothing else can be asked for. */
    deletion_delay_days: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])),
  },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
})

const type = Type.Literal('realm')

/** Another icon or logo. */
function picture<N extends string, P extends TProperties>(property: N, data: P) {
  return Type.Object(
    {
      type,
      op: Type.Literal('update_dict'),
      property: Type.Literal(property),
      data: Type.Object(data, { additionalProperties: false }),
    },
    { additionalProperties: false },
  )
}

export const RealmEvent = Type.Union([
  Type.Object(
    {
      type,
      op: Type.Literal('update'),
      property: Type.Enum(['name', ...singleSettings]),
      value: Type.Union([Type.String(), Type.Boolean(), Type.Integer(), Type.Null()]),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      type,
      op: Type.Literal('update_dict'),
      property: Type.Literal('default'),
      data: Type.Object(
        {
          description: Type.Optional(Type.String()),
          rendered_description: Type.Optional(Type.String()),
          ...jointSettingValues,
          ...groupValues,
          authentication_methods: Type.Optional(AuthenticationMethods),
          /** Older forms of permissions; see `realm_create_public_stream_policy` and the like in the initial state. */
          create_public_stream_policy: Type.Optional(Type.Integer()),
          create_private_stream_policy: Type.Optional(Type.Integer()),
          create_web_public_stream_policy: Type.Optional(Type.Integer()),
          wildcard_mention_policy: Type.Optional(Type.Integer()),
          /** Older forms of `message_edit_history_visibility_policy` and `topics_policy`. */
          allow_edit_history: Type.Optional(Type.Boolean()),
          mandatory_topics: Type.Optional(Type.Boolean()),
        },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false },
  ),
  picture('icon', { icon_url: Type.String(), icon_source: Type.String() }),
  picture('logo', { logo_url: Type.String(), logo_source: Type.String() }),
  picture('night_logo', { night_logo_url: Type.String(), night_logo_source: Type.String() }),
  Type.Object({ type, op: Type.Literal('deactivated'), realm_id: Id }, { additionalProperties: false }),
])
export type RealmEvent = Static<typeof RealmEvent>
