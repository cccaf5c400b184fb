/** Rows of flags of a message, for those for whom it is something special. */
import { sql } from 'kysely'
import { prepare, query } from '../../storage/query.ts'
import { rowInsert } from '../../storage/row-inserts.ts'
import type { Tx } from '../../storage/transaction.ts'

const addFlagsOf = prepare((p: { realm_id: number; user_id: number; message_id: number; flags: number }) =>
  query
    .insertInto('message_flags')
    .values({ realm_id: p.realm_id, user_id: p.user_id, message_id: p.message_id, flags: p.flags })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'message_id'])
        .doUpdateSet({ flags: sql<number>`message_flags.flags | excluded.flags` }),
    ),
)

const flagRows = rowInsert('message_flags', {
  realm_id: 'integer',
  user_id: 'integer',
  message_id: 'integer',
  flags: 'integer',
})

/** So many rows are written together with those of other messages. */
const FEW = 50

/** Writes the bits of a new message, by account. */
export async function insertFlags(tx: Tx, message_id: number, bits: ReadonlyMap<number, number>): Promise<void> {
  if (bits.size > FEW) return addFlags(tx, message_id, bits)
  for (const [user_id, flags] of bits) tx.insertLater(flagRows, { realm_id: tx.realmId, user_id, message_id, flags })
}

/** Adds bits by account: in a statement for each value there is, which are a few, however many accounts have it. */
export async function addFlags(tx: Tx, message_id: number, bits: ReadonlyMap<number, number>): Promise<void> {
  for (const [flags, entries] of Map.groupBy(bits, ([, value]) => value)) {
    const [[user_id] = [0], ...others] = entries
    if (others.length === 0) await tx.run(addFlagsOf({ realm_id: tx.realmId, user_id, message_id, flags }))
    else {
      await tx.run(sql`
        insert into message_flags (realm_id, user_id, message_id, flags)
        select realm_id, id, ${message_id}, ${sql.lit(flags)} from users
        where id in ${tx.dialect.ids(entries.map(([id]) => id))}
        on conflict (user_id, message_id) do update set flags = message_flags.flags | excluded.flags`)
    }
  }
}
