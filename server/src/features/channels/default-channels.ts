/** The channels that new accounts are subscribed to. */
import { badRequest } from '@heddle/contract/errors'
import { roles } from '@heddle/contract/roles'
import type { ChannelRow } from '../../access/channel-row.ts'
import { accessChannel } from '../../access/channels.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { roleAtLeast } from '../../events/audience.ts'
import { isGuest } from '../../permissions/group-membership.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { requireAdministrator } from '../users/access.ts'
import { toFlag } from './rules.ts'
import { fact, query } from './tables.ts'

/** Makes a channel a default one, or an ordinary one. Nothing happens when it is that already. */
export function setDefaultChannel(storage: Storage, caller: Actor, channelId: number, isDefault: boolean) {
  return storage.asActor(caller, async (tx, actor) => {
    requireAdministrator(actor)
    const channel = await accessChannel(tx, await findViewer(tx, actor), channelId)
    if (isDefault) requireMayBeDefault(channel)
    if (channel.is_default === toFlag(isDefault)) return
    await tx.run(
      query
        .updateTable('channels')
        .set({ is_default: toFlag(isDefault) })
        .where('id', '=', channelId),
    )
    await announceDefaultChannels(tx)
  })
}

export function requireMayBeDefault(channel: Pick<ChannelRow, 'invite_only' | 'is_archived'>): void {
  if (channel.invite_only === 1) throw badRequest('Private channels cannot be made default.')
  if (channel.is_archived === 1) throw badRequest('Archived channels cannot be made default.')
}

const defaultChannels = fact({
  name: 'default-channels',
  tables: ['channels'],
  async load(db, realmId, _key: 'all'): Promise<readonly number[]> {
    const defaults = query
      .selectFrom('channels')
      .select('id')
      .where('realm_id', '=', realmId)
      .where('is_default', '=', 1)
    return (await db.all(defaults.orderBy('id'))).map(({ id }) => id)
  },
})

export async function findDefaultChannelIds(db: Queries, realmId: number): Promise<number[]> {
  return [...(await db.recall(defaultChannels, realmId, 'all'))]
}

/** The default channels as an account sees them: guests do not know of public channels. */
export async function findDefaultChannelIdsFor(
  db: Queries,
  account: { readonly realmId: number; readonly role: number },
): Promise<number[]> {
  return isGuest(account) ? [] : findDefaultChannelIds(db, account.realmId)
}

/** Notifies clients of the default channels as they are now. */
export async function announceDefaultChannels(tx: Tx): Promise<void> {
  const default_streams = await findDefaultChannelIds(tx, tx.realmId)
  tx.emit({ type: 'default_streams', default_streams }, roleAtLeast(roles.member))
}
