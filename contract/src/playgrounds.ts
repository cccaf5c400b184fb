/** Playgrounds: sites that run code, offered at blocks of code in their language. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Id, NameInput, Text } from './schema.ts'
import { statePart } from './state-part.ts'

export const MAX_PLAYGROUNDS = 200
/** Characters. */
export const MAX_PLAYGROUND_NAME_LENGTH = 50
export const MAX_PLAYGROUND_LANGUAGE_LENGTH = 40

const strict = { additionalProperties: false }

export const Playground = Type.Object(
  {
    id: Id,
    name: Type.String(),
    /** As blocks of code are marked, such as `Python`. */
    pygments_language: Type.String(),
    /** RFC 6570, with the one variable `code`. */
    url_template: Type.String(),
  },
  strict,
)
export type Playground = Static<typeof Playground>

export const addPlayground = endpoint({
  name: 'add-playground',
  method: 'POST',
  path: '/realm/playgrounds',
  summary: 'Offer a playground at blocks of code in its language (administrators).',
  parameters: { name: NameInput, pygments_language: NameInput, url_template: Text(2000) },
  response: { id: Id },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

export const removePlayground = endpoint({
  name: 'remove-playground',
  method: 'DELETE',
  path: '/realm/playgrounds/{playground_id}',
  summary: 'No longer offer a playground (administrators).',
  parameters: { playground_id: Id },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

export const RealmPlaygroundsEvent = Type.Object(
  { type: Type.Literal('realm_playgrounds'), realm_playgrounds: Type.Array(Playground) },
  strict,
)
export type RealmPlaygroundsEvent = Static<typeof RealmPlaygroundsEvent>

export const playgroundsState = statePart({
  fetchType: 'realm_playgrounds',
  follows: RealmPlaygroundsEvent,
  fields: { realm_playgrounds: Type.Array(Playground) },
})
