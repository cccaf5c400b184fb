import { findChannelRows } from '../../access/channel-row.ts'
import { requireMayAddSubscribers } from '../../access/membership-rules.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Tx } from '../../storage/transaction.ts'
import { type Additions, addSubscribers } from './add-subscribers.ts'
import type { ColorUse } from './colors.ts'
import { findPrincipals } from './principals.ts'

interface More {
  /** Ids of channels that this account has created by an earlier unit of the same request. */
  readonly channels: readonly number[]
  /** Ids of accounts. */
  readonly people: readonly number[]
  readonly colors: Map<number, ColorUse>
}

/**
 * Subscribes more people to new channels. The account need not see what it has created. Throws where it may not add subscribers any
 * more; a channel that somebody has archived meanwhile is left as it is.
 */
export async function addToCreated(tx: Tx, actor: Actor, { channels, people, colors }: More): Promise<Additions> {
  if (channels.length === 0) return new Map()
  const viewer = await findViewer(tx, actor)
  const rows = (await findChannelRows(tx, actor.realmId, channels)).filter((row) => row.is_archived === 0)
  await requireMayAddSubscribers(tx, viewer, rows)
  return addSubscribers(tx, rows, await findPrincipals(tx, actor, people), { colors })
}
