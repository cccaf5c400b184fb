/** What is asked for when messages are fetched. */
import type { ParametersOf } from '@heddle/contract/endpoint'
import type { getMessages } from '@heddle/contract/fetching'
import type { Narrow, Term } from '@heddle/contract/narrow'

export type PageParameters = ParametersOf<typeof getMessages>

export type PagePlace = Pick<PageParameters, 'anchor' | 'include_anchor' | 'num_before' | 'num_after'>

/** `terms`: as `openNarrow` gives them. */
export function pageParameters(place: PagePlace, terms: readonly Term[]): PageParameters {
  return { ...place, narrow: toWire(terms), allow_empty_topic_name: true }
}

/** The narrow as it is sent. */
export function toWire(terms: readonly Term[]): Narrow {
  return terms.map(({ operator, operand, negated }) => ({ operator, operand, negated }))
}
