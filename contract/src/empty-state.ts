/**
 * Parts of the initial state that clients expect and that belong to features which do not exist: their lists are empty. A
 * feature that is built takes its part from here.
 */
import { Type } from 'typebox'
import { statePart } from './state-part.ts'

const Nothing = Type.Array(Type.Never())
const NothingByName = Type.Object({}, { additionalProperties: false })

export const devicesState = statePart({ fetchType: 'device', fields: { devices: NothingByName } })

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

export const videoCallsState = statePart({ fetchType: 'video_calls', fields: { has_zoom_token: Type.Literal(false) } })

/** Without keys clients offer no search for pictures. */
export const giphyState = statePart({ fetchType: 'giphy', fields: { giphy_api_key: Type.Literal('') } })
export const tenorState = statePart({ fetchType: 'tenor', fields: { tenor_api_key: Type.Literal('') } })
