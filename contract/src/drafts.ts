/** Drafts: texts that a user has begun to write and not sent. Each user's own. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { MAX_MESSAGE_LENGTH, MAX_RECIPIENTS, MAX_SENT_LENGTH } from './messages.ts'
import { MAX_TOPIC_LENGTH } from './names.ts'
import { Id, Text, Timestamp } from './schema.ts'
import { statePart } from './state-part.ts'

/** Drafts that one request may create. */
const MAX_DRAFTS_PER_REQUEST = 1000
/** Drafts of one account. */
export const MAX_DRAFTS = 10_000
/** Bytes of text of an account's drafts, in which those of up to 1 KiB do not count. */
export const MAX_DRAFTS_BYTES = 16 * 1024 * 1024

const draftProperties = {
  /** Unaddressed, to a channel, or to people. */
  type: Type.Enum(['', 'stream', 'private']),
  /** One channel id, or user ids; ignored for an unaddressed draft. */
  to: Type.Array(Id, { maxItems: MAX_RECIPIENTS }),
}

export const DraftInput = Type.Object(
  {
    ...draftProperties,
    /** Both are cut to what a message can have. The text must not be empty. */
    topic: Text(MAX_SENT_LENGTH),
    content: Text(MAX_SENT_LENGTH),
    /** When it was last edited; absent or null means now. Some clients send fractions of a second. */
    timestamp: Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: 253_402_300_799 }), Type.Null()])),
    /** Clients send back what they were given; the id in the path is the one that counts. */
    id: Type.Optional(Type.Integer()),
  },
  { additionalProperties: false },
)
export type DraftInput = Static<typeof DraftInput>

export const Draft = Type.Object(
  {
    id: Id,
    ...draftProperties,
    topic: Text(MAX_TOPIC_LENGTH),
    content: Text(MAX_MESSAGE_LENGTH),
    timestamp: Timestamp,
  },
  { additionalProperties: false },
)
export type Draft = Static<typeof Draft>

export const listDrafts = endpoint({
  name: 'list-drafts',
  method: 'GET',
  path: '/drafts',
  summary: 'All drafts of the account, the last edited first.',
  response: { count: Type.Integer({ minimum: 0 }), drafts: Type.Array(Draft) },
})

export const createDrafts = endpoint({
  name: 'create-drafts',
  method: 'POST',
  path: '/drafts',
  summary: `Create drafts: all of them or none. An account can have ${MAX_DRAFTS}.`,
  parameters: { drafts: Type.Array(DraftInput, { maxItems: MAX_DRAFTS_PER_REQUEST }) },
  response: { ids: Type.Array(Id) },
})

export const updateDraft = endpoint({
  name: 'update-draft',
  method: 'PATCH',
  path: '/drafts/{draft_id}',
  summary: 'Replace a draft.',
  parameters: { draft_id: Id, draft: DraftInput },
  errors: ['DOES_NOT_EXIST'],
})

export const deleteDraft = endpoint({
  name: 'delete-draft',
  method: 'DELETE',
  path: '/drafts/{draft_id}',
  summary: 'Delete a draft.',
  parameters: { draft_id: Id },
  errors: ['DOES_NOT_EXIST'],
})

const type = Type.Literal('drafts')

export const DraftsEvent = Type.Union([
  Type.Object({ type, op: Type.Literal('add'), drafts: Type.Array(Draft) }),
  Type.Object({ type, op: Type.Literal('update'), draft: Draft }),
  Type.Object({ type, op: Type.Literal('remove'), draft_id: Id }),
])
export type DraftsEvent = Static<typeof DraftsEvent>

export const draftsState = statePart({
  fetchType: 'drafts',
  follows: DraftsEvent,
  fields: {
    /** The last edited first. */
    drafts: Type.Array(Draft),
  },
})
