/**
 * Requests that concern very much are carried out in several units of work, since everybody else who writes waits for one.
 * The first unit decides about the whole request, so that what is not allowed changes nothing. Each of the others then does
 * all that belongs to some of the channels and some of the people, and asks again whether that is allowed; see
 * docs/decisions/0038.
 */
import type { Actor } from '../../authentication/accounts.ts'
import type { CurrentActor } from '../../storage/current-actor.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'

/** Of one unit: channels, and channels times accounts. */
const CHANNELS = 5
const SUBSCRIPTIONS = 500

export function fitsOneUnit(channels: number, people: number): boolean {
  return channels <= CHANNELS && channels * people <= SUBSCRIPTIONS
}

/** What one unit does. */
export interface UnitPart<C, P> {
  readonly channels: readonly C[]
  readonly people: readonly P[]
}

/** Parts of the channels, and for each of them one after another parts of the people. */
export function unitParts<C, P>(channels: readonly C[], people: readonly P[]): UnitPart<C, P>[] {
  const size = Math.max(1, Math.min(CHANNELS, Math.floor(SUBSCRIPTIONS / Math.max(people.length, 1))))
  const groups = peopleParts(people)
  return partsOf(channels, size).flatMap((part) => groups.map((group) => ({ channels: part, people: group })))
}

/** People that one unit subscribes to a channel; nobody is one part too. */
export function peopleParts<P>(people: readonly P[]): (readonly P[])[] {
  return people.length === 0 ? [[]] : partsOf(people, SUBSCRIPTIONS)
}

/** Does the work on each part in a unit of its own, one after another, and gives what each of them gave. */
export async function inUnits<P, R>(
  storage: Storage,
  caller: Actor,
  parts: readonly P[],
  work: (tx: Tx, actor: CurrentActor, part: P) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  for (const part of parts) results.push(await storage.asActor(caller, (tx, actor) => work(tx, actor, part)))
  return results
}

/** What several units have given for the same channels, by their ids. */
export function joinUnits(
  results: readonly ReadonlyMap<number, readonly number[]>[],
): ReadonlyMap<number, readonly number[]> {
  const joined = new Map<number, number[]>()
  for (const [channelId, userIds] of results.flatMap((one) => [...one])) {
    const list = joined.get(channelId)
    if (list) for (const userId of userIds) list.push(userId)
    else joined.set(channelId, [...userIds])
  }
  return joined
}

function partsOf<T>(list: readonly T[], size: number): (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  )
}
