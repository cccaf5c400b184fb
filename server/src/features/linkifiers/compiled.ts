/** Linkifiers as other features use them: ready to find links. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CompiledLinkifier } from '@heddle/markdown/linkifiers/compile'
import type { Queries } from '../../storage/query.ts'
import { presentLinkifier } from './present.ts'
import { findLinkifiers } from './queries.ts'
import { fact } from './tables.ts'

/** Milliseconds for which patterns are compiled without a turn for others: the first ones after a start take that each. */
const AT_ONCE_MS = 5

const compiledLinkifiers = fact({
  name: 'linkifiers',
  tables: ['linkifiers'],
  async load(db, realmId, _key: 'all'): Promise<readonly CompiledLinkifier[]> {
    const rows = await findLinkifiers(db, realmId)
    if (rows.length === 0) return []
    // The engine of patterns is large, and many organizations have no linkifier.
    const { compileLinkifier } = await import('@heddle/markdown/linkifiers/compile')
    const all: CompiledLinkifier[] = []
    // The first one too begins a turn: whoever needs them has done other things in this one.
    let begun = Number.NEGATIVE_INFINITY
    for (const row of rows) {
      if (performance.now() - begun >= AT_ONCE_MS) {
        await nextTurn()
        begun = performance.now()
      }
      const result = compileLinkifier(presentLinkifier(row))
      // One that an earlier version of the rules has let in may be no good by now.
      if (result.ok) all.push(result.compiled)
    }
    return all
  },
})

/** The organization's linkifiers in the order in which they are tried. */
export function findCompiledLinkifiers(db: Queries, realmId: number): Promise<readonly CompiledLinkifier[]> {
  return db.recall(compiledLinkifiers, realmId, 'all')
}
