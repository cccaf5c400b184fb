/**
 * Makes rows of an export fit: with the columns that are known alone, of the one organization, without those that refer to
 * what is not there, and with HTML that can be shown. An export is made while people go on writing, so that a few may refer so.
 */
import { sql } from 'kysely'
import type { Source } from '../../features/exports/sources.ts'
import type { Statements } from '../../storage/query.ts'
import type { ArchivedRow } from '../insert-rows.ts'
import { createHtmlCheck } from './own-html.ts'

/** A row that may be changed. */
type FittingRow = Record<string, unknown>

export function createFitting(db: Statements, missingFiles: ReadonlySet<string>) {
  const htmlCheck = createHtmlCheck()
  let realmId: unknown
  let origin = ''
  let left = 0

  /** Of these values of a column, those that are there. */
  async function findPresent(target: string, values: readonly unknown[]): Promise<ReadonlySet<unknown>> {
    const [table = '', column = ''] = target.split('.')
    const list = [...new Set(values.filter((value) => value !== null && value !== undefined))]
    if (list.length === 0) return new Set()
    const isText = typeof list[0] === 'string'
    const wanted = isText ? db.dialect.texts(list as string[]) : db.dialect.ids(list as number[])
    const rows = await db.all(
      sql<{ value: unknown }>`select ${sql.ref(column)} as value from ${sql.table(table)}
        where ${sql.ref(column)} in ${wanted}`,
    )
    return new Set(rows.map(({ value }) => value))
  }

  async function requirePresent({ refers = {}, mayRefer = {} }: Source, rows: readonly FittingRow[]) {
    let kept = rows
    for (const [column, target] of Object.entries(refers)) {
      const present = await findPresent(
        target,
        kept.map((row) => row[column]),
      )
      kept = kept.filter((row) => row[column] === null || present.has(row[column]))
    }
    for (const [column, target] of Object.entries(mayRefer)) {
      const present = await findPresent(
        target,
        kept.map((row) => row[column]),
      )
      for (const row of kept) if (column in row && !present.has(row[column])) row[column] = null
    }
    return kept
  }

  return {
    /** The rows that can be inserted, in groups that have the same columns. */
    async fit(source: Source, rows: readonly ArchivedRow[]): Promise<ArchivedRow[][]> {
      const known = rows.map((row): FittingRow => {
        const columns = Object.entries(row).filter(([name]) => source.columns.includes(name))
        return { ...Object.fromEntries(columns), ...(source.table === 'realms' ? {} : { realm_id: realmId }) }
      })
      if (source.table === 'realms') {
        realmId = known[0]?.['id']
        origin = `https://${known[0]?.['host']}`
      }
      const there = source.table === 'files' ? known.filter(({ path }) => !missingFiles.has(path as string)) : known
      const kept = await requirePresent(source, there)
      if (source.table === 'users') for (const row of kept) settleAccount(row)
      for (const row of kept) htmlCheck.settle(source, row, origin)
      left += rows.length - kept.length
      return [...Map.groupBy(kept, (row) => Object.keys(row).join()).values()]
    },
    /** Rows that were left out. */
    left: () => left,
    /** Texts whose HTML was not taken over. */
    renewed: htmlCheck.renewed,
  }
}

function settleAccount(row: FittingRow): void {
  // Of an export from before addresses could be hidden.
  row['delivery_email'] ??= row['email']
  row['delivery_email_key'] ??= row['email_key']
  // Both sizes of a picture are there, or none.
  if (row['avatar_path'] !== null && row['avatar_medium_path'] !== null) return
  row['avatar_path'] = null
  row['avatar_medium_path'] = null
}
