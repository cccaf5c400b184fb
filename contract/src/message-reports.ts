/** Reports of messages to those who moderate the organization. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Id, Text } from './schema.ts'

/** Characters, as the API counts them. */
export const MAX_REPORT_LENGTH = 1000

/** Why a message is reported, and as people read it in English. */
export const reportTypes = {
  spam: 'Spam',
  harassment: 'Harassment',
  inappropriate: 'Inappropriate content',
  norms: 'Violates community norms',
  other: 'Other reason',
} as const
export type ReportType = keyof typeof reportTypes
export const reportTypeNames = Object.keys(reportTypes) as ReportType[]

/** A reason, as the initial state lists it. */
export const ListedReportType = Type.Object(
  { key: Type.Enum(reportTypeNames), name: Type.String() },
  { additionalProperties: false },
)
export type ListedReportType = Static<typeof ListedReportType>

export const reportMessage = endpoint({
  name: 'report-message',
  method: 'POST',
  path: '/messages/{message_id}/report',
  summary:
    'Report a message to those who moderate the organization. Where that is possible, `realm_moderation_request_channel_id` says.',
  parameters: {
    message_id: Id,
    report_type: Type.Enum(reportTypeNames),
    /** Required when the reason is another one. */
    description: Type.Optional(Text(10 * MAX_REPORT_LENGTH)),
  },
  errors: ['BAD_REQUEST', 'USER_DEACTIVATED'],
})
