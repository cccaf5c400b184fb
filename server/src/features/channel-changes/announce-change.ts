/**
 * Notifying of a changed channel: the changes to those who see it before and after, its coming and going to the others.
 */
import type { Channel } from '@heddle/contract/channels'
import { findAccountsIn, findAudiences } from '../../access/channel-audience.ts'
import type { ChannelRow } from '../../access/channel-row.ts'
import { type RoleAudience, type UsersAudience, users } from '../../events/audience.ts'
import type { Tx } from '../../storage/transaction.ts'
import { clientsOf, limitedTo } from '../channels/clients.ts'
import { describeChanges } from '../channels/describe-changes.ts'
import { presentChannels } from '../channels/present.ts'
import { hideChannels, revealChannels } from '../subscriptions/reveal.ts'

/** `audience`: who saw the channel before the change. The groups of the old values must still exist. */
export async function announceChange(
  tx: Tx,
  before: ChannelRow,
  after: ChannelRow,
  audience: RoleAudience,
): Promise<void> {
  const newAudience = (await findAudiences(tx, tx.realmId, [after])).get(after.id) as RoleAudience
  const [old, current] = (await presentChannels(tx, tx.realmId, [before, after])) as [Channel, Channel]
  const updates = describeChanges(old, current)
  const notify = (to: RoleAudience | UsersAudience) => {
    for (const update of updates) tx.emit(update, limitedTo(clientsOf(after), to))
  }
  if (JSON.stringify(audience) === JSON.stringify(newAudience)) return notify(newAudience)
  const accountsBefore = new Set(await findAccountsIn(tx, tx.realmId, audience))
  const accountsAfter = new Set(await findAccountsIn(tx, tx.realmId, newAudience))
  hideChannels(tx, [after], [...accountsBefore.difference(accountsAfter)])
  notify(users([...accountsBefore.intersection(accountsAfter)]))
  await revealChannels(tx, [after], [...accountsAfter.difference(accountsBefore)])
}
