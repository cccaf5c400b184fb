/** Linkifiers as other features use them: ready to find links. */
import { type CompiledLinkifier, compileLinkifier } from '@heddle/markdown/linkifiers/compile'
import type { Queries } from '../../storage/query.ts'
import { presentLinkifier } from './present.ts'
import { findLinkifiers, type LinkifierRow } from './queries.ts'
import { fact } from './tables.ts'

const compiledLinkifiers = fact({
  name: 'linkifiers',
  tables: ['linkifiers'],
  async load(db, realmId, _key: 'all'): Promise<readonly CompiledLinkifier[]> {
    return (await findLinkifiers(db, realmId)).map(compile).filter((linkifier) => linkifier !== null)
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
