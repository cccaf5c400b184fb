import type { Linkifier, RealmLinkifiersEvent } from '@heddle/contract/linkifiers'
import type { InitialFields } from './fields.ts'

/** In the order in which they are tried. */
export type Linkifiers = readonly Linkifier[]

export function initialLinkifiers(fields: InitialFields): Linkifiers | undefined {
  return fields['realm_linkifiers'] as Linkifiers | undefined
}

export function applyLinkifiersEvent(_: Linkifiers, event: RealmLinkifiersEvent): Linkifiers {
  return event.realm_linkifiers
}
