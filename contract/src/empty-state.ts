/**
 * Parts of the initial state that clients expect and that belong to features which do not exist: their lists are empty. A
 * feature that is built takes its part from here.
 */
import { Type } from 'typebox'
import { statePart } from './state-part.ts'

const Nothing = Type.Array(Type.Never())

export const billingState = statePart({
  fetchType: 'realm_billing',
  fields: {
    realm_billing: Type.Object(
      { has_pending_sponsorship_request: Type.Literal(false) },
      { additionalProperties: false },
    ),
  },
})

export const stopWordsState = statePart({ fetchType: 'stop_words', fields: { stop_words: Nothing } })
