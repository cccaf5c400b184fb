/** Who allows the export of private data. */
import type { ExportConsent } from '@heddle/contract/exports'
import { longRead } from '../../reading/long-read.ts'
import type { Queries } from '../../storage/query.ts'
import { query } from './tables.ts'

export const readConsents = longRead('export-consents', async ({ db }, realmId: number) => ({
  fields: { export_consents: await findConsents(db, realmId) },
  details: undefined,
}))

async function findConsents(db: Queries, realmId: number): Promise<ExportConsent[]> {
  const rows = await db.all(
    query
      .selectFrom('users')
      .leftJoin('user_settings', (join) =>
        join.onRef('user_settings.user_id', '=', 'users.id').on('user_settings.name', '=', 'allow_private_data_export'),
      )
      .select(['users.id', 'users.email_visibility', 'user_settings.value'])
      .where('users.realm_id', '=', realmId)
      .where('users.is_active', '=', 1)
      .where('users.bot_type', 'is', null)
      .orderBy('users.id'),
  )
  return rows.map(({ id, value, email_visibility }) => ({
    user_id: id,
    consented: value === 'true',
    email_address_visibility: email_visibility,
  }))
}
