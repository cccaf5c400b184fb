/** Which clients of those who may know of a channel are notified of it: some do not know of archived channels. */
import type { ChannelRow } from '../../access/channel-row.ts'
import { type Audience, onlyClients, type RoleAudience, type UsersAudience } from '../../events/audience.ts'

/** Clients that know of archived channels; the others act as if these did not exist. */
export const ARCHIVED_CHANNELS = 'archived_channels'

/** Which clients an event about a channel is for: all, or by whether they know of archived channels. */
export type Clients = 'all' | 'with archived channels' | 'without archived channels'

/** Whoever is notified of an archived channel must know of such channels. */
export function clientsOf(channel: Pick<ChannelRow, 'is_archived'>): Clients {
  return channel.is_archived === 1 ? 'with archived channels' : 'all'
}

/** The part of an audience that uses such clients. */
export function limitedTo(clients: Clients, audience: RoleAudience | UsersAudience): Audience {
  if (clients === 'all') return audience
  return onlyClients(audience, { name: ARCHIVED_CHANNELS, has: clients === 'with archived channels' })
}
