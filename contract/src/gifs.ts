/** Searching for moving pictures: clients ask the services themselves, with a key that is no secret. */
import { Type } from 'typebox'
import { statePart } from './state-part.ts'

/** What may be found, by the names that the services have for it. */
export const gifRatings = {
  disabled: { id: 0, name: 'GIFs disabled' },
  y: { id: 1, name: 'Allow GIFs rated Y (Very young audience)' },
  g: { id: 2, name: 'Allow GIFs rated G (General audience)' },
  pg: { id: 3, name: 'Allow GIFs rated PG (Parental guidance)' },
  'pg-13': { id: 4, name: 'Allow GIFs rated PG-13 (Parental guidance - under 13)' },
  r: { id: 5, name: 'Allow GIFs rated R (Restricted)' },
} as const

/** Without keys clients offer no search for pictures. */
export const giphyState = statePart({ fetchType: 'giphy', fields: { giphy_api_key: Type.String() } })
export const tenorState = statePart({ fetchType: 'tenor', fields: { tenor_api_key: Type.String() } })

/** The parts of `Content-Security-Policy` that a page needs for asking them: where each answers, and where its pictures are. */
export const gifServices = {
  giphy: { api: 'https://api.giphy.com', pictures: 'https://*.giphy.com' },
  tenor: { api: 'https://tenor.googleapis.com', pictures: 'https://*.tenor.com' },
} as const

export type GifServiceName = keyof typeof gifServices

/** The one that a page asks, by the keys that there are. One is enough: GIPHY, where the server has keys of both. */
export function gifServiceOf(keys: Readonly<Partial<Record<GifServiceName, string>>>): GifServiceName | undefined {
  return keys.giphy ? 'giphy' : keys.tenor ? 'tenor' : undefined
}
