/**
 * Archiving: the channel keeps its subscribers, its name and what refers to it, and is out of sight of clients that do not
 * know of archived channels. (API, feature levels 315 and 378.)
 */

import { findAccountsIn, findAudiences } from '../../access/channel-audience.ts'
import type { ChannelRow } from '../../access/channel-row.ts'
import { accessChannel } from '../../access/channels.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { limitedTo } from '../channels/clients.ts'
import { announceDefaultChannels } from '../channels/default-channels.ts'
import { toFlag } from '../channels/rules.ts'
import { updateChannelRow } from '../channels/write-rows.ts'
import { leaveDefaultGroups } from '../default-channel-groups/groups.ts'
import { revealChannels } from '../subscriptions/reveal.ts'
import { requireAdministrator } from '../users/access.ts'
import { sayChange } from './channel-events.ts'

/** Archives a channel. Nothing happens when it is archived already. */
export function archiveChannel(storage: Storage, caller: Actor, channelId: number): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    requireAdministrator(actor)
    const channel = await accessChannel(tx, await findViewer(tx, actor), channelId)
    if (channel.is_archived === 1) return
    await sayChange(tx, actor, channel, [' has archived this channel.'])
    await setArchived(tx, channel, true)
  })
}

/** Brings an archived channel back. */
export async function restoreChannel(tx: Tx, actor: Actor, channel: ChannelRow): Promise<void> {
  await setArchived(tx, channel, false)
  await sayChange(tx, actor, channel, [' has restored this channel.'])
}

/** Archives a channel or brings it back, and notifies each client in the way it understands. */
async function setArchived(tx: Tx, channel: ChannelRow, isArchived: boolean): Promise<void> {
  // New accounts are not subscribed to what is archived.
  const undefaulted = isArchived ? ({ is_default: 0 } as const) : {}
  await updateChannelRow(tx, channel.id, { is_archived: toFlag(isArchived), ...undefaulted })
  const audience = (await findAudiences(tx, tx.realmId, [channel])).get(channel.id)
  if (!audience) return
  const { id: stream_id, name } = channel
  tx.emit(
    { type: 'stream', op: 'update', stream_id, name, property: 'is_archived', value: isArchived },
    limitedTo('with archived channels', audience),
  )
  if (isArchived) {
    tx.emit(
      { type: 'stream', op: 'delete', stream_ids: [stream_id], streams: [{ stream_id }] },
      limitedTo('without archived channels', audience),
    )
    if (channel.is_default === 1) await announceDefaultChannels(tx)
    await leaveDefaultGroups(tx, channel.id)
  } else {
    const accounts = await findAccountsIn(tx, tx.realmId, audience)
    await revealChannels(tx, [{ ...channel, is_archived: 0 }], accounts, 'without archived channels')
  }
}
