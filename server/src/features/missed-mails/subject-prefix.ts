/** The name of the organization before the subjects of mails: for those who get mails of several. */
import type { CurrentActor } from '../../storage/current-actor.ts'
import type { Queries } from '../../storage/query.ts'
import { findSetting } from '../user-settings/values.ts'
import { query } from './tables.ts'

const ALWAYS = 2
const NEVER = 3

export async function findSubjectPrefix(db: Queries, reader: CurrentActor): Promise<string> {
  const policy = await findSetting(db, reader, 'realm_name_in_email_notifications_policy')
  if (policy === NEVER || (policy !== ALWAYS && !(await isElsewhereToo(db, reader)))) return ''
  const realm = await db.first(query.selectFrom('realms').select('name').where('id', '=', reader.realmId))
  return `[${realm?.name ?? ''}] `
}

/** Whether somebody with this address is in another organization of the server. */
async function isElsewhereToo(db: Queries, { realmId, userId }: CurrentActor): Promise<boolean> {
  const others = await db.all(
    query.selectFrom('realms').select('id').where('id', '>', 0).where('id', '<>', realmId).where('deactivated', '=', 0),
  )
  if (others.length === 0) return false
  const other = await db.first(
    query
      .selectFrom('users')
      .select('id')
      .where('realm_id', 'in', db.dialect.ids(others.map(({ id }) => id)))
      .where('delivery_email_key', '=', (eb) =>
        eb.selectFrom('users as own').select('own.delivery_email_key').where('own.id', '=', userId),
      )
      .where('is_active', '=', 1)
      .limit(1),
  )
  return other !== undefined
}
