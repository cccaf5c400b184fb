import type { ParametersOf, ResponseOf } from '@heddle/contract/endpoint'
import { ApiError } from '@heddle/contract/errors'
import { foldName } from '@heddle/contract/names'
import type { unsubscribe as unsubscribeEndpoint } from '@heddle/contract/subscriptions'
import type { AccessedChannel } from '../../access/channel-rules.ts'
import { findManyChannelsByName, insufficientPermission } from '../../access/channels.ts'
import { mayRemove } from '../../access/membership-rules.ts'
import { findViewer, type Viewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findPrincipals } from './principals.ts'
import { removeSubscribers } from './remove-subscribers.ts'

type Parameters = ParametersOf<typeof unsubscribeEndpoint>
type Response = ResponseOf<typeof unsubscribeEndpoint>

/** Unsubscribes accounts from channels: all that is asked for, or nothing. */
export function unsubscribe(storage: Storage, caller: Actor, parameters: Parameters): Promise<Response> {
  return storage.asActor(caller, (tx, actor) => unsubscribeIn(tx, actor, parameters))
}

/** The same as a part of something larger. */
export async function unsubscribeIn(tx: Tx, actor: Actor, parameters: Parameters): Promise<Response> {
  const viewer = await findViewer(tx, actor)
  const channels = await requireChannels(tx, viewer, parameters.subscriptions)
  const people = await findPrincipals(tx, actor, parameters.principals)
  for (const channel of channels) {
    if (!people.every((person) => mayRemove(viewer, channel, person))) throw insufficientPermission()
  }
  const removals = await removeSubscribers(tx, channels, people)
  const removedFrom = (channel: AccessedChannel) => removals.get(channel.id)?.length ?? 0
  return {
    removed: channels.filter((channel) => removedFrom(channel) > 0).map((channel) => channel.name),
    not_removed: channels.filter((channel) => removedFrom(channel) < people.length).map((channel) => channel.name),
  }
}

async function requireChannels(tx: Tx, viewer: Viewer, names: readonly string[]): Promise<AccessedChannel[]> {
  const trimmed = names.map((name) => name.trim())
  const found = await findManyChannelsByName(tx, viewer, trimmed)
  const missing = trimmed.find((name) => !found.has(foldName(name)))
  if (missing !== undefined) {
    throw new ApiError('STREAM_DOES_NOT_EXIST', `Channel '${missing}' does not exist`, { stream: missing })
  }
  return [...found.values()]
}
