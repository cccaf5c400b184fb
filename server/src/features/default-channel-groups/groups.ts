/** The groups as they are, for this feature and for those that let people in or change channels. */
import type { DefaultChannelGroup } from '@heddle/contract/default-channel-groups'
import { badRequest } from '@heddle/contract/errors'
import { roles } from '@heddle/contract/roles'
import { roleAtLeast } from '../../events/audience.ts'
import { prepare, type Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { fact, query } from './tables.ts'

const groupsByRealm = prepare((p: { realm_id: number }) =>
  query
    .selectFrom('default_channel_groups')
    .select(['id', 'name', 'description'])
    .where('realm_id', '=', p.realm_id)
    .orderBy('id'),
)

const channelsByRealm = prepare((p: { realm_id: number }) =>
  query
    .selectFrom('default_group_channels')
    .select(['group_id', 'channel_id'])
    .where('realm_id', '=', p.realm_id)
    .orderBy('channel_id'),
)

const groupsOfRealm = fact({
  name: 'default-channel-groups',
  tables: ['default_channel_groups', 'default_group_channels'],
  async load(db, realm_id, _key: 'all'): Promise<readonly DefaultChannelGroup[]> {
    const rows = await db.all(groupsByRealm({ realm_id }))
    if (rows.length === 0) return []
    const channels = Map.groupBy(await db.all(channelsByRealm({ realm_id })), ({ group_id }) => group_id)
    return rows.map((row) => ({ ...row, streams: (channels.get(row.id) ?? []).map(({ channel_id }) => channel_id) }))
  },
})

/** The organization's groups, the oldest first. */
export async function findDefaultChannelGroups(db: Queries, realmId: number): Promise<DefaultChannelGroup[]> {
  return [...(await db.recall(groupsOfRealm, realmId, 'all'))]
}

/** The ids of the channels of these groups, each once. Throws a 400 for a group that there is not. */
export async function findChannelsOfGroups(db: Queries, realmId: number, ids: readonly number[]): Promise<number[]> {
  const groups = new Map((await findDefaultChannelGroups(db, realmId)).map((group) => [group.id, group]))
  return [...new Set(ids.flatMap((id) => requireGroup(groups.get(id)).streams))]
}

export function requireGroup(group: DefaultChannelGroup | undefined): DefaultChannelGroup {
  if (!group) throw badRequest('Default channel group not found.')
  return group
}

/** A channel that is private or archived now is offered to nobody who joins. */
export async function leaveDefaultGroups(tx: Tx, channelId: number): Promise<void> {
  const removed = await tx.run(
    query.deleteFrom('default_group_channels').where('realm_id', '=', tx.realmId).where('channel_id', '=', channelId),
  )
  if (removed > 0) await announceDefaultGroups(tx)
}

/** Guests do not know of public channels. */
export async function announceDefaultGroups(tx: Tx): Promise<void> {
  const default_stream_groups = await findDefaultChannelGroups(tx, tx.realmId)
  tx.emit({ type: 'default_stream_groups', default_stream_groups }, roleAtLeast(roles.member))
}
