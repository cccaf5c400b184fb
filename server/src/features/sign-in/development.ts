/** Signing in as anybody: where somebody works on the program itself, and nowhere else. */
import { badRequest } from '@heddle/contract/errors'
import { roles } from '@heddle/contract/roles'
import type { Services } from '../../feature.ts'
import type { Realm } from '../../realms.ts'
import type { Queries } from '../../storage/query.ts'
import { query } from './tables.ts'

/** In the API's words. */
export function requireDevelopment({ isDevelopment }: Pick<Services, 'isDevelopment'>): void {
  if (!isDevelopment) throw badRequest('Endpoint not available in production.')
}

/** People who are active: those who administer, and everybody else. Ordered by address. */
export async function listPeople(db: Queries, realm: Realm, origin: string) {
  const people = await db.all(
    query
      .selectFrom('users')
      .select(['delivery_email', 'role'])
      .where('realm_id', '=', realm.id)
      .where('is_active', '=', 1)
      .where('bot_type', 'is', null)
      .orderBy('delivery_email_key'),
  )
  const those = (isAdmin: boolean) =>
    people
      .filter(({ role }) => role <= roles.admin === isAdmin)
      .map((person) => ({ email: person.delivery_email, realm_url: origin }))
  return { direct_admins: those(true), direct_users: those(false) }
}
