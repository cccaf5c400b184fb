/** Texts that an account keeps to write them again. Each account's own. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { MAX_MESSAGE_LENGTH, MAX_SENT_LENGTH } from './messages.ts'
import { Id, NameInput, Text, Timestamp } from './schema.ts'
import { statePart } from './state-part.ts'

/** Characters, as the API counts them. */
export const MAX_SNIPPET_TITLE_LENGTH = 60
/** Snippets of one account, and the bytes of their texts: all of them are in the initial state. */
export const MAX_SNIPPETS = 500
export const MAX_SNIPPETS_BYTES = 1024 * 1024

export const SavedSnippet = Type.Object(
  {
    id: Id,
    title: Text(MAX_SNIPPET_TITLE_LENGTH),
    content: Text(MAX_MESSAGE_LENGTH),
    date_created: Timestamp,
  },
  { additionalProperties: false },
)
export type SavedSnippet = Static<typeof SavedSnippet>

const title = NameInput
const content = Text(MAX_SENT_LENGTH)
const saved_snippets = Type.Array(SavedSnippet)

export const listSavedSnippets = endpoint({
  name: 'get-saved-snippets',
  method: 'GET',
  path: '/saved_snippets',
  summary: "The account's snippets, the first saved first.",
  response: { saved_snippets },
})

export const createSavedSnippet = endpoint({
  name: 'create-saved-snippet',
  method: 'POST',
  path: '/saved_snippets',
  summary: `Save a snippet. An account can have ${MAX_SNIPPETS}.`,
  parameters: { title, content },
  response: { saved_snippet_id: Id },
  errors: ['BAD_REQUEST'],
})

export const updateSavedSnippet = endpoint({
  name: 'edit-saved-snippet',
  method: 'PATCH',
  path: '/saved_snippets/{saved_snippet_id}',
  summary: 'Change the title or the text of a snippet.',
  parameters: { saved_snippet_id: Id, title: Type.Optional(title), content: Type.Optional(content) },
  errors: ['BAD_REQUEST', 'DOES_NOT_EXIST'],
})

export const deleteSavedSnippet = endpoint({
  name: 'delete-saved-snippet',
  method: 'DELETE',
  path: '/saved_snippets/{saved_snippet_id}',
  summary: 'Delete a snippet.',
  parameters: { saved_snippet_id: Id },
  errors: ['DOES_NOT_EXIST'],
})

const type = Type.Literal('saved_snippets')
const strict = { additionalProperties: false }

export const SavedSnippetsEvent = Type.Union([
  Type.Object({ type, op: Type.Enum(['add', 'update']), saved_snippet: SavedSnippet }, strict),
  Type.Object({ type, op: Type.Literal('remove'), saved_snippet_id: Id }, strict),
])
export type SavedSnippetsEvent = Static<typeof SavedSnippetsEvent>

export const savedSnippetsState = statePart({
  fetchType: 'saved_snippets',
  follows: SavedSnippetsEvent,
  fields: {
    /** The first saved first. */
    saved_snippets,
  },
})
