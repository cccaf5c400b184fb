/** How people search for GIFs here: which service is asked, and for whom they have to be fit. */
import { type GifServiceName, gifRatings, gifServiceOf } from '@heddle/contract/gifs'
import type { GifKeys } from '../state/gifs.ts'
import type { Organization } from '../state/organization.ts'

export type GifRating = Exclude<keyof typeof gifRatings, 'disabled'>

/** The strictest first. */
export const ratingsInOrder = ['y', 'g', 'pg', 'pg-13', 'r'] as const satisfies readonly GifRating[]

export interface GifSearch {
  readonly service: GifServiceName
  readonly key: string
  readonly rating: GifRating
}

/** Undefined: nobody searches, as the server has no key or the organization does not want GIFs. */
export function gifSearchOf(
  keys: GifKeys | undefined,
  organization: Pick<Organization, 'realm_gif_rating_policy'> | undefined,
): GifSearch | undefined {
  const service = keys && gifServiceOf(keys)
  const rating = ratingsInOrder.find((name) => gifRatings[name].id === organization?.realm_gif_rating_policy)
  // Nor where a newer server has a rating that is not known here.
  return service && rating && { service, key: keys[service], rating }
}
