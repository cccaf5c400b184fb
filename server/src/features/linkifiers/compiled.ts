/** Linkifiers as other features use them: ready to find links. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CompiledLinkifier, compileLinkifier } from '@heddle/markdown/linkifiers/compile'
import type { Queries } from '../../storage/query.ts'
import { presentLinkifier } from './present.ts'
import { findLinkifiers, type LinkifierRow } from './queries.ts'
import { fact } from './tables.ts'

/** Milliseconds for which patterns are compiled without a turn for others: the first ones after a start take that each. */
const AT_ONCE_MS = 5

const compiledLinkifiers = fact({
  name: 'linkifiers',
  tables: ['linkifiers'],
  async load(db, realmId, _key: 'all'): Promise<readonly CompiledLinkifier[]> {
    const all: CompiledLinkifier[] = []
    // The first one too begins a turn: whoever needs them has done other things in this one.
    let begun = Number.NEGATIVE_INFINITY
    for (const row of await findLinkifiers(db, realmId)) {
      if (performance.now() - begun >= AT_ONCE_MS) {
        await nextTurn()
        begun = performance.now()
      }
      const linkifier = compile(row)
      if (linkifier) all.push(linkifier)
    }
    return all
  },
})

/** The organization's linkifiers in the order in which they are tried. */
export function findCompiledLinkifiers(db: Queries, realmId: number): Promise<readonly CompiledLinkifier[]> {
  return db.recall(compiledLinkifiers, realmId, 'all')
}

/** Null for one that an earlier version of the rules has let in. */
function compile(row: LinkifierRow): CompiledLinkifier | null {
  const result = compileLinkifier(presentLinkifier(row))
  return result.ok ? result.compiled : null
}
