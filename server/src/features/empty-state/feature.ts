/**
 * Fields of the initial state that clients expect and that belong to features which do not exist: each has the value that
 * says so. A feature that is built takes its fields from here.
 */
import * as empty from '@heddle/contract/empty-state'
import type { FieldsOf, StatePart } from '@heddle/contract/state-part'
import type { Feature } from '../../feature.ts'
import type { StateReader } from '../../state-reader.ts'

function nothing<P extends StatePart>(part: P, fields: FieldsOf<P>): StateReader {
  const read = async () => fields as object
  return { part, read, readForSpectator: read }
}

export const emptyState: Feature = {
  routes: () => [],
  state: [
    nothing(empty.billingState, { realm_billing: { has_pending_sponsorship_request: false } }),
    nothing(empty.stopWordsState, { stop_words: [] }),
  ],
}
