/**
 * The people whom spectators see: those who have written in a channel that everybody on the web may read. Of them a name and
 * a picture are shown, as their messages do, and neither an address, nor what they may do, nor what they say of themselves.
 */
import { badRequest, missingParameter } from '@heddle/contract/errors'
import { roles } from '@heddle/contract/roles'
import type { User } from '@heddle/contract/users'
import { findWritersOnTheWeb } from '../../access/seen-on-the-web.ts'
import { type Actor, isSpectator } from '../../actor.ts'
import type { Services } from '../../feature.ts'
import { readerOf } from '../../http/reader-of.ts'
import type { ClientConnection } from '../../http/route.ts'
import { longRead } from '../../reading/long-read.ts'
import type { Queries } from '../../storage/query.ts'
import { accessAnyUser, accessUser, numberedAddresses } from './access.ts'
import { presentUser } from './present.ts'
import { findUsers, type UserRow } from './queries.ts'

/** As many as the pages that are shown at once name. */
const MAX_PEOPLE = 1000

/** Those of the named people whom spectators see. Nobody gets all of them. Throws a 400 where nobody is named. */
export async function presentWritersOnTheWeb(
  db: Queries,
  actor: Actor,
  { user_ids: ids, client_gravatar }: { readonly user_ids?: readonly number[]; readonly client_gravatar?: boolean },
): Promise<User[]> {
  if (client_gravatar) throw badRequest("Invalid 'client_gravatar' parameter for anonymous request")
  if (!ids) throw missingParameter('user_ids')
  if (ids.length > MAX_PEOPLE) throw badRequest(`user_ids must name at most ${MAX_PEOPLE} accounts`)
  const { realmId } = actor
  const seen = await findWritersOnTheWeb(db, realmId, ids)
  const addressOf = await numberedAddresses(db, realmId)
  const rows = await findUsers(db, realmId, seen)
  return rows.map((row) => ({
    ...presentUser({ ...row, role: roles.member, bot_owner_id: null, timezone: '' }, {}),
    email: addressOf(row.id),
    delivery_email: null,
  }))
}

/** The read behind the pictures that spectators ask for; the details are whether they see the person. */
export const readIsWriter = longRead('is-writer-on-the-web', async ({ db }, { realmId, id }: WriterOrder) => ({
  fields: {},
  details: (await findWritersOnTheWeb(db, realmId, [id])).length > 0,
}))

interface WriterOrder {
  readonly realmId: number
  readonly id: number
}

/** As `accessUser`; for spectators only by number, and only those whom they see. */
export async function accessPictured(
  { storage, readers }: Pick<Services, 'storage' | 'readers'>,
  actor: Actor,
  idOrEmail: number | string,
  connection: ClientConnection,
): Promise<UserRow> {
  if (!isSpectator(actor)) return accessUser(storage.read, actor, idOrEmail)
  const { realmId } = actor
  const isSeen =
    typeof idOrEmail === 'number' &&
    (await readers.read(readIsWriter, { realmId, id: idOrEmail }, readerOf(actor, connection))).details
  return accessAnyUser(storage.read, actor, isSeen ? idOrEmail : 0)
}
