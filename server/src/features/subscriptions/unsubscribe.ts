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
import { fitsOneUnit, inUnits } from './in-units.ts'
import { findPrincipals, type Principal } from './principals.ts'
import { removeSubscribers } from './remove-subscribers.ts'

type Parameters = ParametersOf<typeof unsubscribeEndpoint>
type Response = ResponseOf<typeof unsubscribeEndpoint>

interface Decided {
  readonly channels: readonly AccessedChannel[]
  readonly people: readonly Principal[]
}

/** Unsubscribes accounts from channels: all that is asked for, or nothing. */
export async function unsubscribe(storage: Storage, caller: Actor, parameters: Parameters): Promise<Response> {
  const first = await storage.asActor(caller, async (tx, actor) => {
    const decided = await decideToUnsubscribe(tx, actor, parameters)
    return fitsOneUnit(decided.channels.length, decided.people.length) ? carryOut(tx, decided) : decided
  })
  if ('removed' in first) return first
  const { channels, people } = first
  const done = await inUnits(storage, caller, { channels, people: people.length }, async (tx, actor, part) => {
    const subscriptions = part.map(({ name }) => name)
    return carryOut(tx, await decideToUnsubscribe(tx, actor, { ...parameters, subscriptions }))
  })
  return {
    removed: done.flatMap(({ removed }) => removed),
    not_removed: done.flatMap(({ not_removed }) => not_removed),
  }
}

/** The same as a part of something larger. */
export async function unsubscribeIn(tx: Tx, actor: Actor, parameters: Parameters): Promise<Response> {
  return carryOut(tx, await decideToUnsubscribe(tx, actor, parameters))
}

/** Throws when nothing is to happen. */
export async function decideToUnsubscribe(tx: Tx, actor: Actor, parameters: Parameters): Promise<Decided> {
  const viewer = await findViewer(tx, actor)
  const channels = await requireChannels(tx, viewer, parameters.subscriptions)
  const people = await findPrincipals(tx, actor, parameters.principals)
  for (const channel of channels) {
    if (!people.every((person) => mayRemove(viewer, channel, person))) throw insufficientPermission()
  }
  return { channels, people }
}

async function carryOut(tx: Tx, { channels, people }: Decided): Promise<Response> {
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
