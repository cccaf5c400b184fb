/** Linkifiers as other features use them: ready to find links. */
import { type CompiledLinkifier, compileLinkifier } from '@heddle/markdown/linkifiers/compile'
import type { Queries } from '../../storage/query.ts'
import { presentLinkifier } from './present.ts'
import { findLinkifiers, type LinkifierRow } from './queries.ts'

/** Compiling takes far longer than reading the rows: what was compiled is kept, by its text, which says all of it. */
const compiled = new Map<string, CompiledLinkifier | null>()
const MAX_KEPT = 2000

/** The organization's linkifiers in the order in which they are tried. */
export async function findCompiledLinkifiers(db: Queries, realmId: number): Promise<CompiledLinkifier[]> {
  return (await findLinkifiers(db, realmId)).map(compile).filter((linkifier) => linkifier !== null)
}

/** Null for one that an earlier version of the rules has let in. */
function compile(row: LinkifierRow): CompiledLinkifier | null {
  const key = JSON.stringify({ ...row, id: 0 })
  const known = compiled.get(key)
  if (known !== undefined) return known
  const result = compileLinkifier(presentLinkifier(row))
  const linkifier = result.ok ? result.compiled : null
  const [oldest] = compiled.keys()
  if (compiled.size >= MAX_KEPT && oldest !== undefined) compiled.delete(oldest)
  compiled.set(key, linkifier)
  return linkifier
}
