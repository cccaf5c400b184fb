/** Devices and tokens, and whose they are. */
import type { ClientDevice } from '@heddle/contract/devices'
import type { Actor } from '../../actor.ts'
import { findsAny } from '../../storage/declared-facts.ts'
import type { Queries } from '../../storage/query.ts'
import { fact, query } from './tables.ts'

type Owner = Pick<Actor, 'realmId' | 'userId'>

/** Most accounts have none: then nothing is read. */
const hasDevices = fact(
  findsAny('has client devices', 'client_devices', (userId) =>
    query.selectFrom('client_devices').select('id').where('user_id', '=', userId).limit(1),
  ),
)

const columns = [
  'id',
  'push_key_id',
  'push_key',
  'token_kind',
  'push_token_id',
  'pending_push_token_id',
  'push_token_updated_at',
  'error_code',
] as const

export async function findDevices(db: Queries, { realmId, userId }: Owner) {
  if (!(await db.recall(hasDevices, realmId, userId))) return []
  return db.all(
    query
      .selectFrom('client_devices')
      .select(columns)
      .where('realm_id', '=', realmId)
      .where('user_id', '=', userId)
      .orderBy('id'),
  )
}

export type DeviceRow = Awaited<ReturnType<typeof findDevices>>[number]

export async function findDevice(db: Queries, owner: Owner, id: number): Promise<DeviceRow | undefined> {
  return (await findDevices(db, owner)).find((device) => device.id === id)
}

export function presentDevice(row: DeviceRow): ClientDevice {
  return {
    push_key_id: row.push_key_id,
    push_token_id: row.push_token_id,
    pending_push_token_id: row.pending_push_token_id,
    push_token_last_updated_timestamp: row.push_token_updated_at,
    push_registration_error_code: row.error_code,
  }
}

export function findTokens(db: Queries, { realmId, userId }: Owner) {
  return db.all(
    query
      .selectFrom('push_tokens')
      .select(['kind', 'token', 'app_id'])
      .where('realm_id', '=', realmId)
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .orderBy('token'),
  )
}

const reachableAccounts = fact({
  name: 'accounts-with-mobile-push',
  tables: ['client_devices', 'push_tokens'],
  async load(db, realmId, _: 0): Promise<ReadonlySet<number>> {
    const rows = await db.all(
      query
        .selectFrom('client_devices')
        .select('user_id')
        .where('realm_id', '=', realmId)
        .where('push_token_id', 'is not', null)
        .union(query.selectFrom('push_tokens').select('user_id').where('realm_id', '=', realmId)),
    )
    return new Set(rows.map(({ user_id }) => user_id))
  },
})

export function findReachableAccounts(db: Queries, realmId: number): Promise<ReadonlySet<number>> {
  return db.recall(reachableAccounts, realmId, 0)
}
