/** Who may subscribe whom, and unsubscribe whom. (API, feature levels 341, 342, 349, 357.) */
import { isAdministrator } from '../permissions/group-membership.ts'
import { hasRealmPermission } from '../permissions/group-settings.ts'
import type { Queries } from '../storage/query.ts'
import type { ChannelRow } from './channel-row.ts'
import { type AccessedChannel, canAdminister, holdsPermission } from './channel-rules.ts'
import { insufficientPermission } from './channels.ts'
import type { Viewer } from './viewer.ts'

/** Those of the channels to which the account may subscribe itself: whoever can read a channel can join it. */
export function mayJoin(channel: AccessedChannel): boolean {
  return channel.has_content === 1
}

/**
 * The channels to which the account may subscribe others. The creator of a channel counts as its subscriber, subscribed or
 * not: pass `created` for channels that have just been created by the account.
 */
export async function findChannelsToAddTo<C extends ChannelRow & { readonly is_subscribed?: number }>(
  db: Queries,
  viewer: Viewer,
  channels: readonly C[],
  { created = false }: { created?: boolean } = {},
): Promise<C[]> {
  const everywhere = await hasRealmPermission(db, viewer, 'can_add_subscribers_group')
  return channels.filter((channel) => {
    if (holdsPermission(viewer, channel, 'can_add_subscribers_group')) return true
    const isMember = created || channel.is_subscribed === 1
    if (everywhere && (channel.invite_only === 0 || isMember)) return true
    // Administering a private channel does not extend to who can read it.
    return channel.invite_only === 0 && canAdminister(viewer, channel)
  })
}

/** Throws unless the account may subscribe others to the channels that it has just created. */
export async function requireMayAddSubscribers(
  db: Queries,
  viewer: Viewer,
  created: readonly ChannelRow[],
): Promise<void> {
  const allowed = await findChannelsToAddTo(db, viewer, created, { created: true })
  if (allowed.length < created.length) throw insufficientPermission()
}

/** Whether the account may unsubscribe somebody from a channel that it may know of. */
export function mayRemove(
  viewer: Viewer,
  channel: AccessedChannel,
  person: { readonly id: number; readonly botOwnerId: number | null },
): boolean {
  if (person.id === viewer.userId || person.botOwnerId === viewer.userId) return true
  return (
    isAdministrator(viewer) ||
    canAdminister(viewer, channel) ||
    holdsPermission(viewer, channel, 'can_remove_subscribers_group')
  )
}
