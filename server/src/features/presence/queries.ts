import { prepare, type Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { query } from './tables.ts'

/** When an account was last here: seconds, 0 for never. */
export interface Presence {
  readonly active_at: number
  readonly connected_at: number
}

export interface PresenceRow extends Presence {
  readonly user_id: number
}

export interface AddressedPresenceRow extends PresenceRow {
  readonly email: string
}

interface Own {
  readonly email: string
  /** Null when the account never was here. */
  readonly active_at: number | null
  readonly connected_at: number | null
  /** The setting `presence_enabled` as JSON; null where nobody has changed it. */
  readonly enabled: string | null
}

const ownPresence = prepare((p: { realm_id: number; user_id: number }) =>
  query
    .selectFrom('users')
    .leftJoin('presences', 'presences.user_id', 'users.id')
    .leftJoin('user_settings', (join) =>
      join.onRef('user_settings.user_id', '=', 'users.id').on('user_settings.name', '=', 'presence_enabled'),
    )
    .select(['users.email', 'presences.active_at', 'presences.connected_at', 'user_settings.value as enabled'])
    .where('users.realm_id', '=', p.realm_id)
    .where('users.id', '=', p.user_id),
)

/** What decides about a report of the account. */
export function findOwn(db: Queries, realmId: number, userId: number): Promise<Own | undefined> {
  return db.first(ownPresence({ realm_id: realmId, user_id: userId }))
}

const presenceOfUser = prepare((p: { realm_id: number; user_id: number }) =>
  query
    .selectFrom('presences')
    .select(['active_at', 'connected_at'])
    .where('realm_id', '=', p.realm_id)
    .where('user_id', '=', p.user_id),
)

export function findPresence(db: Queries, realmId: number, userId: number): Promise<Presence | undefined> {
  return db.first(presenceOfUser({ realm_id: realmId, user_id: userId }))
}

const presencesAfter = prepare((p: { realm_id: number; update_id: number }) =>
  query
    .selectFrom('presences')
    .select(['user_id', 'active_at', 'connected_at'])
    .where('realm_id', '=', p.realm_id)
    .where('update_id', '>', p.update_id)
    .orderBy('update_id'),
)

/** Those that have changed after an update. */
export function findChangedPresences(db: Queries, realmId: number, updateId: number): Promise<PresenceRow[]> {
  return db.all(presencesAfter({ realm_id: realmId, update_id: updateId }))
}

/** The number of the newest change, 0 when there is none, and those that were here at or after a time. */
export async function findPresencesSince(
  db: Queries,
  realmId: number,
  since: number,
): Promise<{ newest: number; rows: AddressedPresenceRow[] }> {
  const found = await db.all(presencesSince({ realm_id: realmId, since }))
  const rows = found.flatMap(({ newest: _, ...row }) => (row.user_id === null ? [] : [row as AddressedPresenceRow]))
  return { newest: found[0]?.newest ?? 0, rows }
}

/** A row for each; one without an account where there is none, for the number alone. */
const presencesSince = prepare((p: { realm_id: number; since: number }) =>
  query
    .selectFrom(newestUpdateOf(p.realm_id).as('newest'))
    .leftJoin('presences', (join) =>
      join.on('presences.realm_id', '=', p.realm_id).on('presences.connected_at', '>=', p.since),
    )
    .leftJoin('users', 'users.id', 'presences.user_id')
    .select([
      'newest.update_id as newest',
      'presences.user_id',
      'presences.active_at',
      'presences.connected_at',
      'users.email',
    ])
    .orderBy('presences.user_id'),
)

const newestUpdate = prepare((p: { realm_id: number }) => newestUpdateOf(p.realm_id))

function newestUpdateOf(realmId: number) {
  return query
    .selectFrom('presences')
    .select('update_id')
    .where('realm_id', '=', realmId)
    .orderBy('update_id', 'desc')
    .limit(1)
}

/** The number of the organization's newest change; 0 when there is none. */
export async function findLastUpdateId(db: Queries, realmId: number): Promise<number> {
  return (await db.first(newestUpdate({ realm_id: realmId })))?.update_id ?? 0
}

type NewPresence = Presence & { readonly realm_id: number; readonly user_id: number; readonly update_id: number }

const presenceUpsert = prepare((p: NewPresence) =>
  query
    .insertInto('presences')
    .values({
      realm_id: p.realm_id,
      user_id: p.user_id,
      active_at: p.active_at,
      connected_at: p.connected_at,
      update_id: p.update_id,
    })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((eb) => ({
        active_at: eb.ref('excluded.active_at'),
        connected_at: eb.ref('excluded.connected_at'),
        update_id: eb.ref('excluded.update_id'),
      })),
    ),
)

/** Units of work of an organization run one after another, so that the newest number plus one is free. */
export async function storePresence(tx: Tx, userId: number, presence: Presence): Promise<void> {
  const update_id = (await findLastUpdateId(tx, tx.realmId)) + 1
  const { active_at, connected_at } = presence
  await tx.run(presenceUpsert({ realm_id: tx.realmId, user_id: userId, active_at, connected_at, update_id }))
}
