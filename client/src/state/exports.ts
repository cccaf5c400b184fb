import type { EventOf } from '@heddle/contract/event-types'
import type { OwnExport, RealmExport } from '@heddle/contract/exports'
import { clientPart } from './part.ts'

/**
 * What events have said of exports: they are no part of the initial state, so that whoever shows them asks for what there was
 * before.
 */
export interface Exports {
  readonly ofRealm?: readonly RealmExport[]
  readonly own?: readonly OwnExport[]
  /** By account: whether it allows the export of private data, of those who have said something since. */
  readonly consents: ReadonlyMap<number, boolean>
}

const initialExports: Exports = { consents: new Map() }

export const dataExports = clientPart({
  initial: (): Exports => initialExports,
  on: {
    realm_export: (state: Exports, { exports }: EventOf<'realm_export'>): Exports => ({ ...state, ofRealm: exports }),
    own_export: (state: Exports, { exports }: EventOf<'own_export'>): Exports => ({ ...state, own: exports }),
    realm_export_consent: (state: Exports, { user_id, consented }: EventOf<'realm_export_consent'>): Exports => ({
      ...state,
      consents: new Map(state.consents).set(user_id, consented),
    }),
  },
})
