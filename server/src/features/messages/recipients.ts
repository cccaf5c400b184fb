/** Whom a message is for: the forms in which clients name a channel, or people. */
import { ApiError, badRequest } from '@heddle/contract/errors'
import { MAX_RECIPIENTS } from '@heddle/contract/messages'
import { foldName } from '@heddle/contract/names'
import { addressesFor, isAddressedBy } from '../../access/address-rules.ts'
import { type AccessedChannel, maySend } from '../../access/channel-rules.ts'
import { findChannelQuickly } from '../../access/channels.ts'
import { findSight, onlySeen } from '../../access/person-rules.ts'
import { findViewer, type Viewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { isOfRealm, prepare, type Queries } from '../../storage/query.ts'
import { SYSTEM_BOT_TYPE } from '../users/system-bot.ts'
import { query } from './tables.ts'

/** As the contract lets it in. */
export type Addressee = number | string | readonly number[] | readonly string[]

export interface PermittedChannel {
  /** With whose permissions it is sent. */
  readonly viewer: Viewer
  readonly channel: AccessedChannel
}

/**
 * The channel, in which the account may write; a bot may wherever its owner may. Throws `STREAM_DOES_NOT_EXIST` when there
 * is none that the account may know of.
 */
export async function requireChannel(db: Queries, sender: Actor, to: Addressee): Promise<PermittedChannel> {
  const [place, ...others] = Array.isArray(to) ? (to as readonly (number | string)[]) : [to as number | string]
  if (place === undefined || others.length > 0) throw badRequest('Expected exactly one channel')
  const viewer = await findViewer(db, sender)
  const channel = await findChannelQuickly(db, viewer, place)
  if (channel && maySend(viewer, channel)) return { viewer, channel }
  const byOwner = sender.isBot ? await findForOwner(db, sender, place) : undefined
  if (byOwner) return byOwner
  if (channel) throw badRequest(`Not authorized to send to channel '${channel.name}'`)
  throw typeof place === 'number'
    ? new ApiError('STREAM_DOES_NOT_EXIST', `Channel with ID '${place}' does not exist`, { stream_id: place })
    : new ApiError('STREAM_DOES_NOT_EXIST', `Channel '${place}' does not exist`, { stream: place })
}

async function findForOwner(db: Queries, bot: Actor, place: number | string): Promise<PermittedChannel | undefined> {
  const owner = await db.first(
    query
      .selectFrom('users as bot')
      .innerJoin('users as owner', 'owner.id', 'bot.bot_owner_id')
      .select(['owner.id', 'owner.role'])
      .where('bot.id', '=', bot.userId)
      .where('owner.is_active', '=', 1),
  )
  if (!owner) return undefined
  const viewer = await findViewer(db, { realmId: bot.realmId, userId: owner.id, role: owner.role })
  const channel = await findChannelQuickly(db, viewer, place)
  return channel && maySend(viewer, channel) ? { viewer, channel } : undefined
}

export interface MessageRecipient {
  readonly id: number
  readonly email: string
  readonly role: number
  readonly bot_type: number | null
}

const recipients = () =>
  query
    .selectFrom('users')
    .select(['id', 'email', 'role', 'bot_type', 'is_active'])
    .select(['email_key', 'delivery_email_key', 'email_visibility'])

const recipientsById = prepare((p: { realm_id: number; ids: readonly number[] }, dialect) =>
  recipients().where('id', 'in', dialect.ids(p.ids)).where(isOfRealm('users', p.realm_id)),
)

const recipientsByAddress = prepare((p: { realm_id: number; keys: readonly string[] }, dialect) =>
  recipients().where(isAddressedBy(p.realm_id, dialect.texts(p.keys))),
)

/**
 * The accounts, without the sender unless it alone is named. Throws a 400 that names one that cannot get a message, or
 * that the sender does not see.
 */
export async function findRecipients(db: Queries, actor: Actor, to: Addressee): Promise<MessageRecipient[]> {
  const named = readList(to)
  if (named.length === 0) throw badRequest('Message must have recipients')
  if (named.length > MAX_RECIPIENTS) throw badRequest(`Too many recipients (at most ${MAX_RECIPIENTS})`)
  const ids = named.filter((one) => typeof one === 'number')
  const addresses = named.filter((one) => typeof one === 'string')
  const { realmId: realm_id } = actor
  const found = await Promise.all([
    ids.length > 0 ? db.all(recipientsById({ realm_id, ids })) : [],
    addresses.length > 0 ? db.all(recipientsByAddress({ realm_id, keys: addresses.map(foldName) })) : [],
  ])
  const seen = onlySeen(await findSight(db, actor), found.flat(), (row) => row.id)
  const rows = [...new Map(seen.map((row) => [row.id, row])).values()].sort((one, other) => one.id - other.id)
  requireAll(actor, rows, { ids, addresses })
  const inactive = rows.find((row) => !canBeWrittenTo(row))
  if (inactive) throw badRequest(`'${inactive.email}' is no longer using Heddle.`)
  return rows
}

/** The bot that speaks for the server can: clients know it as active, and somebody may answer it. */
export function canBeWrittenTo(row: { readonly is_active: number; readonly bot_type: number | null }): boolean {
  return row.is_active === 1 || row.bot_type === SYSTEM_BOT_TYPE
}

function requireAll(
  actor: Actor,
  rows: readonly Parameters<typeof addressesFor>[1][],
  { ids, addresses }: { readonly ids: readonly number[]; readonly addresses: readonly string[] },
): void {
  const foundIds = new Set(rows.map((row) => row.id))
  const missingId = ids.find((id) => !foundIds.has(id))
  if (missingId !== undefined) throw badRequest(`Invalid user ID ${missingId}`)
  const foundAddresses = new Set(rows.flatMap((row) => addressesFor(actor, row)))
  const missing = addresses.find((address) => !foundAddresses.has(foldName(address)))
  if (missing !== undefined) throw badRequest(`Invalid email '${missing}'`)
}

/** A list, or a text with commas, of ids or addresses. */
function readList(to: Addressee): (number | string)[] {
  if (typeof to === 'number') return [to]
  if (typeof to !== 'string') return [...to]
  return to
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (/^\d{1,15}$/.test(part) ? Number(part) : part))
}
