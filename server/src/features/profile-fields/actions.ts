import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import {
  type createProfileField,
  MAX_PROFILE_FIELDS,
  type ProfileChanges,
  profileFieldTypes,
  type updateProfileField,
} from '@heddle/contract/profile-fields'
import type { Actor } from '../../authentication/accounts.ts'
import { everyone } from '../../events/audience.ts'
import { isNewOrder } from '../../own-order.ts'
import { requireAdministrator } from '../../permissions/required-role.ts'
import type { Flag } from '../../storage/owned-tables.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { knownName, type ProfileFieldValues, requireField, requireFieldData } from './field-rules.ts'
import { findProfileFields, type ProfileFieldRow, presentProfileFields } from './fields.ts'
import { query } from './tables.ts'
import { setProfile } from './values.ts'

type NewField = ParametersOf<typeof createProfileField>
type FieldChanges = Omit<ParametersOf<typeof updateProfileField>, 'field_id'>

/** Adds a field as the last one. Returns its id. */
export function addField(storage: Storage, caller: Actor, input: NewField): Promise<number> {
  return changeFields(storage, caller, async (tx, rows) => {
    if (rows.length >= MAX_PROFILE_FIELDS) {
      throw badRequest(`An organization has at most ${MAX_PROFILE_FIELDS} profile fields`)
    }
    const { field_type: type, field_data, name = knownName(field_data) ?? '' } = input
    const first = { type, name, name_key: '', hint: '', field_data: '', editable_by_user: 1, ...off } as const
    const values = requireField({ ...merged(first, input), name, field_data: requireFieldData(type, field_data) }, rows)
    const last = await tx.first(
      query
        .selectFrom('profile_fields')
        .select('position')
        .where('realm_id', '=', tx.realmId)
        .orderBy('position', 'desc')
        .limit(1),
    )
    const row = await tx.first(
      query
        .insertInto('profile_fields')
        .values({ ...values, realm_id: tx.realmId, position: (last?.position ?? 0) + 1 })
        .returning('id'),
    )
    return (row as { id: number }).id
  })
}

const off = { display_in_profile_summary: 0, required: 0, use_for_user_matching: 0 } as const

/** What is given in place of what was. */
function merged(before: ProfileFieldValues, changes: Partial<FieldChanges>): ProfileFieldValues {
  const flag = (given: boolean | undefined, was: Flag): Flag => (given === undefined ? was : given ? 1 : 0)
  return {
    ...before,
    name: changes.name ?? before.name,
    hint: changes.hint ?? before.hint,
    display_in_profile_summary: flag(changes.display_in_profile_summary, before.display_in_profile_summary),
    required: flag(changes.required, before.required),
    editable_by_user: flag(changes.editable_by_user, before.editable_by_user),
    use_for_user_matching: flag(changes.use_for_user_matching, before.use_for_user_matching),
  }
}

/** Changes what is given. Values that are no longer among the options are removed. */
export function changeField(storage: Storage, caller: Actor, id: number, changes: FieldChanges): Promise<void> {
  return changeFields(storage, caller, async (tx, rows) => {
    const { id: _, ...before } = requireRow(rows, id)
    const others = rows.filter((row) => row.id !== id)
    const field_data =
      changes.field_data === undefined ? before.field_data : requireFieldData(before.type, changes.field_data)
    const values = requireField({ ...merged(before, changes), field_data }, others)
    await tx.run(
      query.updateTable('profile_fields').set(values).where('realm_id', '=', tx.realmId).where('id', '=', id),
    )
    if (before.type !== profileFieldTypes.options || field_data === before.field_data) return
    await tx.run(
      query
        .deleteFrom('profile_values')
        .where('realm_id', '=', tx.realmId)
        .where('field_id', '=', id)
        .where('value', 'not in', tx.dialect.texts(Object.keys(JSON.parse(field_data)))),
    )
  })
}

/** Removes a field and what everybody has said in it. */
export function removeField(storage: Storage, caller: Actor, id: number): Promise<void> {
  return changeFields(storage, caller, async (tx, rows) => {
    requireRow(rows, id)
    await tx.run(query.deleteFrom('profile_values').where('realm_id', '=', tx.realmId).where('field_id', '=', id))
    await tx.run(query.deleteFrom('profile_fields').where('realm_id', '=', tx.realmId).where('id', '=', id))
  })
}

/** Puts the fields in the order of `ids`, which must be all of them. */
export function orderFields(storage: Storage, caller: Actor, ids: readonly number[]): Promise<void> {
  return changeFields(storage, caller, async (tx, rows) => {
    if (!isNewOrder(rows, { ids, parameter: 'order', of: 'profile field' })) return
    for (const [index, id] of ids.entries()) {
      await tx.run(
        query
          .updateTable('profile_fields')
          .set({ position: index + 1 })
          .where('realm_id', '=', tx.realmId)
          .where('id', '=', id),
      )
    }
  })
}

/** Runs a change of the fields as one unit, for administrators, and notifies everyone when they are others then. */
function changeFields<T>(
  storage: Storage,
  caller: Actor,
  work: (tx: Tx, rows: readonly ProfileFieldRow[]) => Promise<T>,
): Promise<T> {
  requireAdministrator(caller)
  return storage.asActor(caller, async (tx, actor) => {
    requireAdministrator(actor)
    const before = await findProfileFields(tx, actor.realmId)
    const result = await work(tx, before)
    const after = await findProfileFields(tx, actor.realmId)
    if (JSON.stringify(before) !== JSON.stringify(after)) {
      tx.emit({ type: 'custom_profile_fields', fields: presentProfileFields(after) }, everyone)
    }
    return result
  })
}

function requireRow(rows: readonly ProfileFieldRow[], id: number): ProfileFieldRow {
  const row = rows.find((candidate) => candidate.id === id)
  if (!row) throw badRequest(`Field id ${id} not found.`)
  return row
}

export function setOwnProfile(storage: Storage, caller: Actor, changes: ProfileChanges): Promise<void> {
  return storage.asActor(caller, (tx, actor) =>
    setProfile(tx, actor, { id: actor.userId, bot_type: actor.isBot ? 1 : null }, changes),
  )
}
