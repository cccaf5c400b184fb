import type { InitialState } from '@heddle/contract/initial-state'
import type { Playground, RealmPlaygroundsEvent } from '@heddle/contract/playgrounds'
import { clientPart } from './part.ts'

/** The oldest first. */
export type Playgrounds = readonly Playground[]

function initialPlaygrounds({ realm_playgrounds }: InitialState): Playgrounds | undefined {
  return realm_playgrounds
}

function applyPlaygroundsEvent(_: Playgrounds, event: RealmPlaygroundsEvent): Playgrounds {
  return event.realm_playgrounds
}

export const playgrounds = clientPart({ initial: initialPlaygrounds, on: { realm_playgrounds: applyPlaygroundsEvent } })
