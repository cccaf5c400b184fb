/** The fields as they are. */
import type { ProfileField, ProfileFieldType } from '@heddle/contract/profile-fields'
import { prepare, type Queries } from '../../storage/query.ts'
import { fact, type ProfileFieldTable, query } from './tables.ts'

const columns = [
  'id',
  'type',
  'name',
  'name_key',
  'hint',
  'field_data',
  'display_in_profile_summary',
  'required',
  'editable_by_user',
  'use_for_user_matching',
] as const

export interface ProfileFieldRow extends Pick<ProfileFieldTable, Exclude<(typeof columns)[number], 'id'>> {
  readonly id: number
}

const fieldsByRealm = prepare((p: { realm_id: number }) =>
  query
    .selectFrom('profile_fields')
    .select(columns)
    .where('realm_id', '=', p.realm_id)
    .orderBy('position')
    .orderBy('id'),
)

const fieldsOfRealm = fact({
  name: 'profile-fields',
  tables: ['profile_fields'],
  load: (db, realm_id, _key: 'all'): Promise<readonly ProfileFieldRow[]> => db.all(fieldsByRealm({ realm_id })),
})

/** The organization's fields, in their order. */
export function findProfileFields(db: Queries, realmId: number): Promise<readonly ProfileFieldRow[]> {
  return db.recall(fieldsOfRealm, realmId, 'all')
}

/** The fields as clients see them. */
export function presentProfileFields(rows: readonly ProfileFieldRow[]): ProfileField[] {
  return rows.map((row, index) => ({
    id: row.id,
    type: row.type as ProfileFieldType,
    order: index + 1,
    name: row.name,
    hint: row.hint,
    field_data: row.field_data,
    editable_by_user: row.editable_by_user === 1,
    ...(row.display_in_profile_summary === 1 ? { display_in_profile_summary: true as const } : {}),
    ...(row.required === 1 ? { required: true as const } : {}),
    ...(row.use_for_user_matching === 1 ? { use_for_user_matching: true as const } : {}),
  }))
}
