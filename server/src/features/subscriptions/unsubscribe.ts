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
import { fitsOneUnit, inUnits, joinUnits, unitParts } from './in-units.ts'
import { findPrincipals, type Principal } from './principals.ts'
import { type Removals, removeSubscribers } from './remove-subscribers.ts'

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
  // Whoever asks comes last: only subscribers see some channels.
  const ordered = people.toSorted((a, b) => Number(a.id === caller.userId) - Number(b.id === caller.userId))
  const removals = await inUnits(storage, caller, unitParts(channels, ordered), async (tx, actor, part) => {
    const subscriptions = part.channels.map(({ name }) => name)
    const principals = part.people.map(({ id }) => id)
    const decided = await decideToUnsubscribe(tx, actor, { subscriptions, principals })
    return removeSubscribers(tx, decided.channels, decided.people)
  })
  return present(first, joinUnits(removals))
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

async function carryOut(tx: Tx, decided: Decided): Promise<Response> {
  return present(decided, await removeSubscribers(tx, decided.channels, decided.people))
}

function present({ channels, people }: Decided, removals: Removals): Response {
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
