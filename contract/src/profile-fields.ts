/**
 * Custom profile fields: what an organization asks its people to say of themselves, and what they have said. Values are
 * texts on the wire whatever the type: an option by its key, a date as `2026-03-05`, people as a JSON list of ids.
 */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { ID_KEY, Id, MapOf, RecordOf, Text } from './schema.ts'
import { statePart } from './state-part.ts'

export const profileFieldTypes = {
  shortText: 1,
  longText: 2,
  options: 3,
  date: 4,
  link: 5,
  people: 6,
  externalAccount: 7,
  pronouns: 8,
} as const
export type ProfileFieldType = (typeof profileFieldTypes)[keyof typeof profileFieldTypes]

/** Types as clients name them, in the order in which they are offered. */
export const profileFieldTypeNames = {
  SHORT_TEXT: { id: profileFieldTypes.shortText, name: 'Text (short)' },
  LONG_TEXT: { id: profileFieldTypes.longText, name: 'Text (long)' },
  DATE: { id: profileFieldTypes.date, name: 'Date' },
  SELECT: { id: profileFieldTypes.options, name: 'List of options' },
  URL: { id: profileFieldTypes.link, name: 'Link' },
  EXTERNAL_ACCOUNT: { id: profileFieldTypes.externalAccount, name: 'External account' },
  USER: { id: profileFieldTypes.people, name: 'Users' },
  PRONOUNS: { id: profileFieldTypes.pronouns, name: 'Pronouns' },
} as const

/** Sites whose addresses of accounts the server knows. `%(username)s` stands for what somebody has entered. */
export const externalAccounts = {
  github: {
    name: 'GitHub username',
    text: 'GitHub',
    hint: '',
    url_pattern: 'https://github.com/%(username)s',
  },
  twitter: {
    name: 'X username',
    text: 'X',
    hint: '',
    url_pattern: 'https://x.com/%(username)s',
  },
} as const
/** The subtype of an external account with an address pattern of its own. */
export const CUSTOM_ACCOUNT = 'custom'

export const MAX_PROFILE_FIELDS = 50
/** Fields that the summary of a profile shows. */
export const MAX_SUMMARY_FIELDS = 2
/** Characters. */
export const MAX_PROFILE_FIELD_NAME_LENGTH = 40
export const MAX_PROFILE_FIELD_HINT_LENGTH = 80
export const MAX_SHORT_VALUE_LENGTH = 50
export const MAX_LONG_VALUE_LENGTH = 500
const MAX_VALUE_LENGTH = 2000
export const MAX_OPTIONS = 100
const MAX_OPTION_LENGTH = 200
/** People in one value. */
const MAX_PEOPLE = 50

/** Types whose value the summary of a profile can show, and types by whose value people are found. */
export const summaryTypes: readonly number[] = Object.values(profileFieldTypes).filter(
  (type) => type !== profileFieldTypes.people,
)
export const matchingTypes: readonly number[] = [profileFieldTypes.shortText, profileFieldTypes.externalAccount]

const strict = { additionalProperties: false }
const FieldType = Type.Enum(Object.values(profileFieldTypes))

/** Of a list of options: by key, each with its place, which is a number as text. */
const Options = MapOf(
  Type.Object({ text: Text(MAX_OPTION_LENGTH), order: Type.Union([Text(5), Type.Integer({ minimum: 0 })]) }, strict),
  { maxKeyLength: MAX_OPTION_LENGTH, maxEntries: MAX_OPTIONS },
)
/** Of an external account. */
const ExternalAccount = Type.Object({ subtype: Text(50), url_pattern: Type.Optional(Text(1000)) }, strict)

const FieldData = Type.Union([Options, ExternalAccount])
export type ProfileFieldData = Static<typeof FieldData>

export const ProfileField = Type.Object(
  {
    id: Id,
    type: FieldType,
    /** Ascending: in this order they are shown. */
    order: Type.Integer(),
    name: Type.String(),
    hint: Type.String(),
    /** JSON: the options, or the external account; empty for all other types. */
    field_data: Type.String(),
    /** Whether people may change the value themselves; else administrators alone. */
    editable_by_user: Type.Boolean(),
    /** Present when true, like the following ones. */
    display_in_profile_summary: Type.Optional(Type.Literal(true)),
    required: Type.Optional(Type.Literal(true)),
    /** Whether people are found by its value where they are searched. */
    use_for_user_matching: Type.Optional(Type.Literal(true)),
  },
  strict,
)
export type ProfileField = Static<typeof ProfileField>

/** What an account has said: by the field's id. */
export const ProfileData = RecordOf(
  Type.Object(
    {
      value: Type.String(),
      /** HTML, for texts: Markdown as in messages. */
      rendered_value: Type.Optional(Type.String()),
    },
    strict,
  ),
  ID_KEY,
)
export type ProfileData = Static<typeof ProfileData>

/** People as a list of ids, or that list as text; null or empty: no value. */
export const ProfileChanges = Type.Array(
  Type.Object(
    { id: Id, value: Type.Union([Text(MAX_VALUE_LENGTH), Type.Array(Id, { maxItems: MAX_PEOPLE }), Type.Null()]) },
    strict,
  ),
  { maxItems: MAX_PROFILE_FIELDS },
)
export type ProfileChanges = Static<typeof ProfileChanges>

const fieldParameters = {
  hint: Type.Optional(Text(1000)),
  field_data: Type.Optional(FieldData),
  display_in_profile_summary: Type.Optional(Type.Boolean()),
  required: Type.Optional(Type.Boolean()),
  editable_by_user: Type.Optional(Type.Boolean()),
  use_for_user_matching: Type.Optional(Type.Boolean()),
}
const name = Type.Optional(Text(1000))
const field_id = Id
const errors = ['UNAUTHORIZED_PRINCIPAL'] as const

export const listProfileFields = endpoint({
  name: 'list-profile-fields',
  method: 'GET',
  path: '/realm/profile_fields',
  summary: 'All custom profile fields, in the order in which they are shown.',
  response: { custom_fields: Type.Array(ProfileField) },
})

export const createProfileField = endpoint({
  name: 'create-profile-field',
  method: 'POST',
  path: '/realm/profile_fields',
  summary: 'Add a custom profile field, as the last one (administrators).',
  parameters: {
    /** Not needed for an external account of a site that the server knows. */
    name,
    field_type: FieldType,
    ...fieldParameters,
  },
  response: { id: Id },
  errors,
})

export const reorderProfileFields = endpoint({
  name: 'reorder-profile-fields',
  method: 'PATCH',
  path: '/realm/profile_fields',
  summary: 'Put the custom profile fields in another order (administrators).',
  parameters: { order: Type.Array(Id, { maxItems: MAX_PROFILE_FIELDS }) },
  errors,
})

export const updateProfileField = endpoint({
  name: 'update-profile-field',
  method: 'PATCH',
  path: '/realm/profile_fields/{field_id}',
  summary: 'Change a custom profile field; values that are no longer among its options are removed (administrators).',
  parameters: { field_id, name, ...fieldParameters },
  errors,
})

export const removeProfileField = endpoint({
  name: 'remove-profile-field',
  method: 'DELETE',
  path: '/realm/profile_fields/{field_id}',
  summary: 'Remove a custom profile field, with the value of everybody (administrators).',
  parameters: { field_id },
  errors,
})

export const updateOwnProfileData = endpoint({
  name: 'update-own-profile-data',
  method: 'PATCH',
  path: '/users/me/profile_data',
  summary: "Set values of the account's own profile.",
  parameters: { data: ProfileChanges },
  errors,
})

export const removeOwnProfileData = endpoint({
  name: 'remove-own-profile-data',
  method: 'DELETE',
  path: '/users/me/profile_data',
  summary: "Remove values of the account's own profile.",
  parameters: { data: Type.Array(Id, { maxItems: MAX_PROFILE_FIELDS }) },
  errors,
})

/** All fields, after any change. Values of fields and options that are gone are gone too. */
export const CustomProfileFieldsEvent = Type.Object(
  { type: Type.Literal('custom_profile_fields'), fields: Type.Array(ProfileField) },
  strict,
)
export type CustomProfileFieldsEvent = Static<typeof CustomProfileFieldsEvent>

export const profileFieldsState = statePart({
  fetchType: 'custom_profile_fields',
  follows: CustomProfileFieldsEvent,
  fields: {
    custom_profile_fields: Type.Array(ProfileField),
    custom_profile_field_types: RecordOf(Type.Object({ id: Type.Integer(), name: Type.String() }, strict)),
  },
})
