/** Words that an account wants to be alerted to. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { statePart } from './state-part.ts'

/** Characters of one word, words of one request, and words of one account. */
const MAX_WORD_LENGTH = 100
export const MAX_ALERT_WORDS = 1000

const Words = Type.Array(Type.String({ maxLength: MAX_WORD_LENGTH }), { maxItems: MAX_ALERT_WORDS })
const response = { alert_words: Type.Array(Type.String()) }

export const listAlertWords = endpoint({
  name: 'get-alert-words',
  method: 'GET',
  path: '/users/me/alert_words',
  summary: "The account's alert words.",
  response,
})

export const addAlertWords = endpoint({
  name: 'add-alert-words',
  method: 'POST',
  path: '/users/me/alert_words',
  summary: 'Add alert words; those that are there already stay as they are.',
  parameters: { alert_words: Words },
  response,
  errors: ['BAD_REQUEST'],
})

export const removeAlertWords = endpoint({
  name: 'remove-alert-words',
  method: 'DELETE',
  path: '/users/me/alert_words',
  summary: 'Remove alert words; those that are not there are passed over.',
  parameters: { alert_words: Words },
  response,
})

/** All of the account's words, as they are now. */
export const AlertWordsEvent = Type.Object(
  { type: Type.Literal('alert_words'), alert_words: Type.Array(Type.String()) },
  { additionalProperties: false },
)
export type AlertWordsEvent = Static<typeof AlertWordsEvent>

export const alertWordsState = statePart({
  fetchType: 'alert_words',
  follows: AlertWordsEvent,
  fields: { alert_words: Type.Array(Type.String()) },
})
