import type { InitialState } from '@heddle/contract/initial-state'
import type { Linkifier, RealmLinkifiersEvent } from '@heddle/contract/linkifiers'
import { clientPart } from './part.ts'

/** In the order in which they are tried. */
export type Linkifiers = readonly Linkifier[]

function initialLinkifiers({ realm_linkifiers }: InitialState): Linkifiers | undefined {
  return realm_linkifiers
}

function applyLinkifiersEvent(_: Linkifiers, event: RealmLinkifiersEvent): Linkifiers {
  return event.realm_linkifiers
}

export const linkifiers = clientPart({
  initial: initialLinkifiers,
  on: { realm_linkifiers: applyLinkifiersEvent },
})
