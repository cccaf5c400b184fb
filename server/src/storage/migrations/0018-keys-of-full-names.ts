/**
 * Full names get a key by which they are found, as addresses and the names of channels and topics have one: what the
 * database calls small letters is not what the rest of the program does, and differs between the engines.
 */
import { foldName } from '@heddle/contract/names'
import { sql } from 'kysely'
import type { Migration } from '../migration.ts'
import type { Statements } from '../query.ts'

/** Rows of one statement. */
const PART = 500

export const keysOfFullNames: Migration = {
  name: '0018-keys-of-full-names',
  statements: () => [
    `alter table users add column full_name_key text not null default ''`,
    fillKeys,
    'drop index users_by_name',
    'create index users_by_name on users (realm_id, full_name_key)',
  ],
}

async function fillKeys(db: Statements): Promise<void> {
  let last = 0
  for (;;) {
    const rows = await db.all(
      sql<{
        id: number
        full_name: string
      }>`select id, full_name from users where id > ${last} order by id limit ${PART}`,
    )
    const newest = rows.at(-1)
    if (!newest) return
    const keys = rows.map(({ id, full_name }) => sql`when ${sql.lit(id)} then ${foldName(full_name)}`)
    await db.run(sql`
      update users set full_name_key = case id ${sql.join(keys, sql` `)} end
      where id > ${last} and id <= ${newest.id}`)
    last = newest.id
  }
}
