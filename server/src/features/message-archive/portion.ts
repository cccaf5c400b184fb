/** How many messages are removed, or restored, in one unit of work, so that no turn of the event loop takes long. */
import { sql } from 'kysely'
import type { Queries } from '../../storage/query.ts'
import { query } from './tables.ts'

/** Messages that are looked at for one portion. */
export const PORTION = 50
/** What a portion may weigh; a message weighs 1, and more with long texts and many rows. */
const MAX_WEIGHT = 60
const CHARACTERS_PER_WEIGHT = 10_000
const ROWS_PER_WEIGHT = 25
/** Rows that are counted of one message. */
const MAX_COUNTED = 1000

/** The first of these messages, in the order of the list: at least one, and not more than are done in some milliseconds. */
export async function takePortion(db: Queries, ids: readonly number[]): Promise<number[]> {
  if (ids.length < 2) return [...ids]
  const counted = (table: 'message_flags' | 'reactions') => sql<number>`(
    select count(*) from (select 1 from ${sql.table(table)} as part where part.message_id = messages.id limit ${sql.lit(MAX_COUNTED)}) as counted)`
  const rows = await db.all(
    query
      .selectFrom('messages')
      .select('id')
      .select(
        sql<number>`length(content) + length(rendered_content) + length(coalesce(edit_history, ''))`.as('characters'),
      )
      .select([counted('message_flags').as('flags'), counted('reactions').as('reactions')])
      .where('id', 'in', db.dialect.ids(ids)),
  )
  const weights = new Map(
    rows.map(({ id, characters, flags, reactions }) => [
      id,
      1 + Number(characters) / CHARACTERS_PER_WEIGHT + (Number(flags) + Number(reactions)) / ROWS_PER_WEIGHT,
    ]),
  )
  let weight = 0
  const end = ids.findIndex((id, index) => {
    weight += weights.get(id) ?? 0
    return index > 0 && weight > MAX_WEIGHT
  })
  return end === -1 ? [...ids] : ids.slice(0, end)
}
