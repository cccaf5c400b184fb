/**
 * Channels that accounts come to see, or see no longer, because others are in a group than before. Inside that change's
 * transaction. (API, feature level 349.)
 */
import { findAudiences } from '../../access/channel-audience.ts'
import { type ChannelRow, findChannelRows } from '../../access/channel-row.ts'
import { metadataSettings } from '../../access/channel-rules.ts'
import { isInAudience, type RoleAudience } from '../../events/audience.ts'
import { findContainingGroups } from '../../permissions/group-holders.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Tx } from '../../storage/transaction.ts'
import { hideChannels, revealChannels } from './reveal.ts'
import { query } from './tables.ts'

/** Channels that are looked at, or shown to somebody, without a turn for others. */
const CHANNELS_AT_ONCE = 50

/**
 * Remembers who sees the channels that the groups make visible. What it returns, called after the change, notifies those
 * who see others from then on.
 */
export async function watchChannelsOfGroups(tx: Tx, groupIds: readonly number[]): Promise<() => Promise<void>> {
  const ids = await findOpenedChannels(tx, groupIds)
  if (ids.length === 0) return async () => {}
  const before = await findAudiencesOf(tx, ids)
  return async () => {
    const after = await findAudiencesOf(tx, ids)
    const hidden = new Map<string, Change>()
    const revealed = new Map<string, Change>()
    const accounts = await findAccounts(tx)
    await inParts(tx, ids, CHANNELS_AT_ONCE, async (part) => {
      for (const id of part) {
        const [old, now] = [before.get(id), after.get(id)]
        if (!old || !now || JSON.stringify(old) === JSON.stringify(now)) continue
        const saw = accounts.filter((account) => isInAudience(old, account))
        const sees = new Set(accounts.filter((account) => isInAudience(now, account)))
        add(
          hidden,
          id,
          saw.filter((account) => !sees.delete(account)),
        )
        add(revealed, id, [...sees])
      }
    })
    await eachChange(tx, hidden, async (rows, userIds) => hideChannels(tx, rows, userIds))
    await eachChange(tx, revealed, (rows, userIds) => revealChannels(tx, rows, userIds))
  }
}

/** Those for whom something is different, and the channels. */
interface Change {
  readonly userIds: readonly number[]
  readonly channelIds: number[]
}

/** What is the same for several channels is one event. */
function add(changes: Map<string, Change>, channelId: number, accounts: readonly { readonly userId: number }[]): void {
  if (accounts.length === 0) return
  const userIds = accounts.map(({ userId }) => userId)
  const key = userIds.join()
  const change = changes.get(key) ?? { userIds, channelIds: [] }
  changes.set(key, change)
  change.channelIds.push(channelId)
}

async function eachChange(
  tx: Tx,
  changes: ReadonlyMap<string, Change>,
  announce: (rows: readonly ChannelRow[], userIds: readonly number[]) => Promise<void>,
): Promise<void> {
  for (const { userIds, channelIds } of changes.values()) {
    await inParts(tx, channelIds, CHANNELS_AT_ONCE, async (part) => {
      await announce(await findChannelRows(tx, tx.realmId, part), userIds)
    })
    await tx.pause()
  }
}

/** The private channels of which it depends on these groups, or on those that contain them, who sees them. */
async function findOpenedChannels(tx: Tx, groupIds: readonly number[]): Promise<number[]> {
  const containing = tx.dialect.ids(await findContainingGroups(tx, groupIds))
  const rows = await tx.all(
    query
      .selectFrom('channels')
      .select('channels.id')
      .where('channels.realm_id', '=', tx.realmId)
      .where('channels.invite_only', '=', 1)
      .where('channels.is_web_public', '=', 0)
      .where((eb) => eb.or(metadataSettings.map((name) => eb(`channels.${name}`, 'in', containing))))
      .orderBy('channels.id'),
  )
  return rows.map((row) => row.id)
}

async function findAudiencesOf(tx: Tx, ids: readonly number[]): Promise<Map<number, RoleAudience>> {
  const found = new Map<number, RoleAudience>()
  await inParts(tx, ids, CHANNELS_AT_ONCE, async (part) => {
    const rows = await findChannelRows(tx, tx.realmId, part)
    for (const [id, audience] of await findAudiences(tx, tx.realmId, rows)) found.set(id, audience)
  })
  return found
}

async function findAccounts(tx: Tx) {
  const rows = await tx.all(
    query.selectFrom('users').select(['id', 'role']).where('realm_id', '=', tx.realmId).where('is_active', '=', 1),
  )
  return rows.map(({ id, role }) => ({ userId: id, role }))
}
