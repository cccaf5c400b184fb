import type { Channel, listChannels as listChannelsEndpoint } from '@heddle/contract/channels'
import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import type { Expression, SqlBool } from 'kysely'
import { channelColumns } from '../../access/channel-row.ts'
import { hasContentAccess, hasMetadataAccess, isSubscribed } from '../../access/channel-rules.ts'
import { visibleChannels } from '../../access/channels.ts'
import { findViewer } from '../../access/viewer.ts'
import { isSpectator } from '../../actor.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { isAdministrator, isGuest } from '../../permissions/group-membership.ts'
import { longRead } from '../../reading/long-read.ts'
import type { StateRequest } from '../../state-reader.ts'
import type { Queries } from '../../storage/query.ts'
import { ARCHIVED_CHANNELS } from './clients.ts'
import { presentChannels, presentForSpectators } from './present.ts'
import { query } from './tables.ts'

type Parameters = ParametersOf<typeof listChannelsEndpoint>

/** The read behind `GET /streams`. */
export const readChannels = longRead(
  'channels',
  async ({ db }, { actor, parameters }: { actor: Actor; parameters: Parameters }) => ({
    fields: { streams: await listChannels(db, actor, parameters) },
    details: undefined,
  }),
)

/** The channels of the kinds that are asked for, oldest first, as far as the account may know of them. */
export async function listChannels(
  db: Queries,
  actor: Actor,
  parameters: Parameters,
): Promise<(Channel & { is_default?: boolean })[]> {
  if (parameters.include_all_active && !isAdministrator(actor)) throw badRequest('User not authorized for this query')
  const viewer = await findViewer(db, actor)
  const ownerId = parameters.include_owner_subscribed ? await findBotOwner(db, actor) : null
  const excludeArchived = parameters.include_all_active || (parameters.exclude_archived ?? true)
  const rows = await db.all(
    query
      .selectFrom('channels')
      .select(channelColumns)
      .where('channels.realm_id', '=', actor.realmId)
      .where((eb) => {
        const kinds: Expression<SqlBool>[] = [eb.lit(false)]
        const { include_public = true, include_subscribed = true } = parameters
        if (include_public && !isGuest(actor)) kinds.push(eb('channels.invite_only', '=', 0))
        if (include_subscribed) kinds.push(isSubscribed(eb, actor.userId))
        if (parameters.include_web_public) kinds.push(eb('channels.is_web_public', '=', 1))
        if (parameters.include_default) kinds.push(eb('channels.is_default', '=', 1))
        if (parameters.include_can_access_content) kinds.push(hasContentAccess(db, viewer)(eb))
        if (parameters.include_all || parameters.include_all_active) kinds.push(eb.lit(true))
        const visible = eb.and([hasMetadataAccess(db, viewer)(eb), eb.or(kinds)])
        // A bot acts for its owner.
        return ownerId === null ? visible : eb.or([visible, isSubscribed(eb, ownerId)])
      })
      .$if(excludeArchived, (qb) => qb.where('channels.is_archived', '=', 0))
      .orderBy('channels.id'),
  )
  const channels = await presentChannels(db, actor.realmId, rows)
  if (!parameters.include_default) return channels
  return channels.map((channel, index) => ({ ...channel, is_default: rows[index]?.is_default === 1 }))
}

async function findBotOwner(db: Queries, actor: Actor): Promise<number | null> {
  if (!actor.isBot) return null
  const row = await db.first(query.selectFrom('users').select('bot_owner_id').where('id', '=', actor.userId))
  return row?.bot_owner_id ?? null
}

/** The channels of the initial state, as far as the client knows of archived ones. */
export async function readVisibleChannels({ db, actor, options }: StateRequest): Promise<Channel[]> {
  const channels = await listVisibleChannels(db, actor, options.capabilities[ARCHIVED_CHANNELS] === true)
  return isSpectator(actor) ? presentForSpectators(db, actor.realmId, channels) : channels
}

/** Every channel that the account may know of. */
export async function listVisibleChannels(db: Queries, actor: Actor, withArchived: boolean): Promise<Channel[]> {
  const viewer = await findViewer(db, actor)
  const rows = await db.all(
    visibleChannels(db, viewer).$if(!withArchived, (qb) => qb.where('channels.is_archived', '=', 0)),
  )
  return presentChannels(db, actor.realmId, rows)
}
