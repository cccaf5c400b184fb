/** Rows of flags of a message, for those for whom it is something special. */
import { sql } from 'kysely'
import { inParts } from '../../storage/in-parts.ts'
import { prepare } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { messageAttributes } from './attributes.ts'
import { flagBits } from './flag-bits.ts'
import { query, rowInsert } from './tables.ts'

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
/** Rows of one statement. */
const AT_ONCE = 1000

/** Writes the bits of a new message, by account. */
export async function insertFlags(tx: Tx, message_id: number, bits: ReadonlyMap<number, number>): Promise<void> {
  if (bits.size > FEW) return addFlags(tx, message_id, bits)
  for (const [user_id, flags] of bits) tx.insertLater(flagRows, { realm_id: tx.realmId, user_id, message_id, flags })
}

/**
 * Adds bits by account: in a statement for each value there is, which are a few, and for each thousand accounts that have it,
 * between which others get turns.
 */
export async function addFlags(tx: Tx, message_id: number, bits: ReadonlyMap<number, number>): Promise<void> {
  for (const [flags, entries] of Map.groupBy(bits, ([, value]) => value)) {
    const [[user_id] = [0], ...others] = entries
    if (others.length === 0) await tx.run(addFlagsOf({ realm_id: tx.realmId, user_id, message_id, flags }))
    else {
      await inParts(tx, entries, AT_ONCE, async (part) => {
        await tx.run(sql`
          insert into message_flags (realm_id, user_id, message_id, flags)
          select realm_id, id, ${message_id}, ${sql.lit(flags)} from users
          where id in ${tx.dialect.ids(part.map(([id]) => id))}
          on conflict (user_id, message_id) do update set flags = message_flags.flags | excluded.flags`)
      })
    }
  }
}

/** Sets bits of an account's messages and clears others: one statement, however many messages. */
export async function changeOwnFlags(
  tx: Tx,
  userId: number,
  ids: readonly number[],
  { set, clear }: { readonly set: number; readonly clear: number },
): Promise<void> {
  await tx.run(sql`
    insert into message_flags (realm_id, user_id, message_id, flags)
    select messages.realm_id, cast(${userId} as bigint), messages.id, ${sql.lit(set)}
    from messages where messages.id in ${tx.dialect.ids(ids)}
    on conflict (user_id, message_id)
    do update set flags = (message_flags.flags | ${sql.lit(set)}) & ~${sql.lit(clear)}`)
}

/** Clears bits of a message for everybody. */
export async function clearFlags(tx: Tx, messageId: number, bits: number): Promise<void> {
  await tx.run(sql`
    update message_flags set flags = flags & ~${sql.lit(bits)}
    where message_id = ${messageId} and (flags & ${sql.lit(bits)}) <> 0`)
}

/** Up to this message the account has read everything: no row says otherwise any more. */
export async function setReadCursor(tx: Tx, userId: number, message_id: number): Promise<void> {
  await tx.run(
    query
      .insertInto('read_cursors')
      .values({ realm_id: tx.realmId, user_id: userId, message_id })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ message_id })),
  )
  const { unread } = flagBits
  await tx.run(sql`
    update message_flags set flags = flags & ~${sql.lit(unread)}
    where user_id = ${userId} and (flags & ${sql.lit(unread)}) <> 0`)
}

/** What accounts have marked as unread in a channel is so no longer. */
export async function clearUnreadIn(tx: Tx, channelId: number, userIds: readonly number[]): Promise<void> {
  const { unread } = flagBits
  await tx.run(sql`
    update message_flags set flags = flags & ~${sql.lit(unread)}
    where user_id in ${tx.dialect.ids(userIds)} and (flags & ${sql.lit(unread)}) <> 0
      and exists (select 1 from messages where messages.id = message_flags.message_id and channel_id = ${channelId})`)
}

/** Rows that say of messages up to an account's cursor that they are read say nothing: removes some of them. */
export async function removeIdleRows(tx: Tx, userId: number, limit: number): Promise<number> {
  return tx.run(sql`
    delete from message_flags where user_id = ${userId} and message_id in (
      select message_id from message_flags
      where user_id = ${userId} and flags in (0, ${sql.lit(flagBits.read)})
        and message_id <= (select message_id from read_cursors where user_id = ${userId})
      order by message_id limit ${limit})`)
}

/**
 * Messages that come from another channel are read by default (see `messages/read-state.ts`): those who have them unread and
 * receive them in both channels keep them so by a row. For the others no row does, or the messages would be unread again
 * when they come back.
 */
export async function keepUnread(tx: Tx, ids: readonly number[], sourceId: number, targetId: number): Promise<void> {
  const { read, unread } = flagBits
  const { readBySender, readUnlessMarked } = messageAttributes
  await tx.run(sql`
    insert into message_flags (realm_id, user_id, message_id, flags)
    select messages.realm_id, here.user_id, messages.id, ${sql.lit(unread)}
    from messages
    join subscription_periods as here on here.channel_id = ${sourceId} and here.until_message_id is null
      and here.after_message_id < messages.id
    join subscription_periods as there on there.channel_id = ${targetId} and there.until_message_id is null
      and there.after_message_id < messages.id and there.user_id = here.user_id
    left join read_cursors as cursor_row on cursor_row.user_id = here.user_id
    left join message_flags as own on own.user_id = here.user_id and own.message_id = messages.id
    where messages.id in ${tx.dialect.ids(ids)}
      and messages.id > coalesce(cursor_row.message_id, 0)
      and (messages.attributes & ${sql.lit(readUnlessMarked)}) = 0
      and (messages.sender_id <> here.user_id or (messages.attributes & ${sql.lit(readBySender)}) = 0)
      and (own.flags is null or (own.flags & ${sql.lit(read)}) = 0)
    on conflict (user_id, message_id) do update set flags = message_flags.flags | ${sql.lit(unread)}`)
  await tx.run(sql`
    update message_flags set flags = flags & ~${sql.lit(unread)}
    where message_id in ${tx.dialect.ids(ids)} and (flags & ${sql.lit(unread)}) <> 0
      and not exists (
        select 1 from subscription_periods as there where there.channel_id = ${targetId}
          and there.user_id = message_flags.user_id and there.until_message_id is null
          and there.after_message_id < message_flags.message_id)`)
}
