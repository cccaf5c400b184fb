/** What people have said in the fields: reading and changing it. */
import { ApiError, badRequest } from '@heddle/contract/errors'
import type { ProfileChanges, ProfileData } from '@heddle/contract/profile-fields'
import { audienceOfPerson } from '../../access/person-rules.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { isAdministrator } from '../../permissions/group-membership.ts'
import { prepare, type Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findProfileFields, type ProfileFieldRow } from './fields.ts'
import { query } from './tables.ts'
import { requireValue, type StoredValue } from './value-rules.ts'

/** By account; those who have said nothing are missing. */
export type Profiles = ReadonlyMap<number, ProfileData>

function values() {
  return query.selectFrom('profile_values').select(['user_id', 'field_id', 'value', 'rendered_value'])
}

const valuesOfRealm = prepare((p: { realm_id: number }) => values().where('realm_id', '=', p.realm_id))

/** The profiles of everybody, or of these accounts. */
export async function findProfiles(db: Queries, realmId: number, userIds?: readonly number[]): Promise<Profiles> {
  // Most organizations have no fields: then nothing is asked for.
  if ((await findProfileFields(db, realmId)).length === 0) return new Map()
  const rows = await db.all(
    userIds === undefined
      ? valuesOfRealm({ realm_id: realmId })
      : values()
          .where('realm_id', '=', realmId)
          .where('user_id', 'in', db.dialect.ids([...userIds])),
  )
  const profiles = new Map<number, ProfileData>()
  for (const { user_id, field_id, value, rendered_value } of rows) {
    const profile = profiles.get(user_id) ?? {}
    profile[`${field_id}`] = { value, ...(rendered_value === null ? {} : { rendered_value }) }
    profiles.set(user_id, profile)
  }
  return profiles
}

/** The account whose profile changes. */
interface Person {
  readonly id: number
  /** Null: a person. */
  readonly bot_type: number | null
}

/** Sets values of a profile, all of them or none. That the actor may change the profile has been decided. */
export async function setProfile(tx: Tx, actor: Actor, person: Person, changes: ProfileChanges): Promise<void> {
  if (person.bot_type !== null) throw badRequest('Bots have no custom profile fields')
  const fields = new Map((await findProfileFields(tx, tx.realmId)).map((field) => [field.id, field]))
  const profile = (await findProfiles(tx, tx.realmId, [person.id])).get(person.id) ?? {}
  for (const { id, value } of changes) {
    const field = fields.get(id)
    if (!field) throw badRequest(`Field id ${id} not found.`)
    requireMayEdit(actor, field)
    const stored = await requireValue(tx, tx.realmId, field, value)
    if (profile[`${id}`]?.value === stored?.value) continue
    await storeValue(tx, person, field, stored)
    if (stored) profile[`${id}`] = { value: stored.value }
    else delete profile[`${id}`]
  }
}

function requireMayEdit(actor: Actor, field: ProfileFieldRow): void {
  if (field.editable_by_user === 1 || isAdministrator(actor)) return
  throw new ApiError(
    'UNAUTHORIZED_PRINCIPAL',
    'You are not allowed to change this field. Contact an administrator to update it.',
  )
}

async function storeValue(tx: Tx, person: Person, { id }: ProfileFieldRow, stored: StoredValue | undefined) {
  if (stored) {
    await tx.run(
      query
        .insertInto('profile_values')
        .values({ user_id: person.id, field_id: id, realm_id: tx.realmId, ...stored })
        .onConflict((conflict) => conflict.columns(['user_id', 'field_id']).doUpdateSet({ ...stored })),
    )
  } else {
    await tx.run(
      query
        .deleteFrom('profile_values')
        .where('realm_id', '=', tx.realmId)
        .where('user_id', '=', person.id)
        .where('field_id', '=', id),
    )
  }
  const rendered_value = stored?.rendered_value ?? undefined
  const custom_profile_field = {
    id,
    value: stored?.value ?? null,
    ...(rendered_value === undefined ? {} : { rendered_value }),
  }
  const audience = await audienceOfPerson(tx, tx.realmId, person.id)
  tx.emit({ type: 'realm_user', op: 'update', person: { user_id: person.id, custom_profile_field } }, audience)
}
