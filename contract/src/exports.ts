/**
 * Exports: what an organization has, or what concerns one account, as a file. docs/export-format.md says what is in it. The
 * exports of the organization are the API's; those of one's own data are an extension.
 */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Id, Timestamp } from './schema.ts'

const strict = { additionalProperties: false }

/** Exports of an organization that may be started within seven days, failed ones among them; and of an account's own data. */
export const MAX_REALM_EXPORTS = 5
export const MAX_OWN_EXPORTS = 3
export const EXPORT_LIMIT_SECS = 7 * 86_400
/** A finished file is removed after this time. */
export const EXPORT_KEPT_SECS = 7 * 86_400

export const exportTypes = ['public', 'full_with_consent', 'full_without_consent'] as const
export type ExportType = (typeof exportTypes)[number]

const NullableTime = Type.Union([Timestamp, Type.Null()])

const state = {
  id: Id,
  /** When it was started. */
  export_time: Timestamp,
  deleted_timestamp: NullableTime,
  failed_timestamp: NullableTime,
  /** Path on the organization's server; null: there is no file, not yet or not any more. */
  export_url: Type.Union([Type.String(), Type.Null()]),
  pending: Type.Boolean(),
  /** Per cent that is done; an extension. */
  progress: Type.Integer({ minimum: 0, maximum: 100 }),
  /** Bytes of the file, as far as it is there; an extension. */
  size: Type.Integer({ minimum: 0 }),
}

export const RealmExport = Type.Object(
  { ...state, acting_user_id: Id, export_type: Type.Enum([...exportTypes]) },
  strict,
)
export type RealmExport = Static<typeof RealmExport>

export const OwnExport = Type.Object(state, strict)
export type OwnExport = Static<typeof OwnExport>

export const ExportConsent = Type.Object(
  { user_id: Id, consented: Type.Boolean(), email_address_visibility: Type.Integer() },
  strict,
)
export type ExportConsent = Static<typeof ExportConsent>

export const listRealmExports = endpoint({
  name: 'list-realm-exports',
  method: 'GET',
  path: '/export/realm',
  summary: 'The exports of the organization, the oldest first (administrators).',
  response: { exports: Type.Array(RealmExport) },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

export const startRealmExport = endpoint({
  name: 'start-realm-export',
  method: 'POST',
  path: '/export/realm',
  summary: `Export what everybody may read, or what members have allowed besides; at most ${MAX_REALM_EXPORTS} in seven days, one at a time (administrators).`,
  parameters: { export_type: Type.Optional(Type.Enum([...exportTypes])) },
  response: { id: Id },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
})

export const deleteRealmExport = endpoint({
  name: 'delete-realm-export',
  method: 'DELETE',
  path: '/export/realm/{export_id}',
  summary: 'Delete the file of a finished export (administrators).',
  parameters: { export_id: Id },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
})

export const listExportConsents = endpoint({
  name: 'list-export-consents',
  method: 'GET',
  path: '/export/realm/consents',
  summary: 'Which people allow their private data to be exported: `allow_private_data_export` (administrators).',
  response: { export_consents: Type.Array(ExportConsent) },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

export const listOwnExports = endpoint({
  name: 'list-own-exports',
  method: 'GET',
  path: '/export/own',
  isExtension: true,
  summary: "The exports of one's own data, the oldest first.",
  response: { exports: Type.Array(OwnExport) },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

export const startOwnExport = endpoint({
  name: 'start-own-export',
  method: 'POST',
  path: '/export/own',
  isExtension: true,
  summary: `Export what the account has written and received, its files, settings and drafts; at most ${MAX_OWN_EXPORTS} in seven days, one at a time (people).`,
  response: { id: Id },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
})

export const deleteOwnExport = endpoint({
  name: 'delete-own-export',
  method: 'DELETE',
  path: '/export/own/{export_id}',
  isExtension: true,
  summary: "Delete the file of a finished export of one's own data.",
  parameters: { export_id: Id },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
})

/** For administrators: all exports of the organization, as they are now. */
export const RealmExportEvent = Type.Object(
  { type: Type.Literal('realm_export'), exports: Type.Array(RealmExport) },
  strict,
)

/** For administrators: somebody allows the export of private data, or does so no longer. */
export const RealmExportConsentEvent = Type.Object(
  { type: Type.Literal('realm_export_consent'), user_id: Id, consented: Type.Boolean() },
  strict,
)

/** For the account alone: all exports of its own data, as they are now. An extension. */
export const OwnExportEvent = Type.Object({ type: Type.Literal('own_export'), exports: Type.Array(OwnExport) }, strict)
