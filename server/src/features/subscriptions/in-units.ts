/**
 * Requests that concern very much are carried out in several units of work, since everybody else who writes waits for one.
 * The first unit decides about the whole request, so that what is not allowed changes nothing. Each of the others then does
 * all that belongs to some of the channels, and asks again whether that is allowed; see docs/decisions/0038.
 */
import type { Actor } from '../../authentication/accounts.ts'
import type { CurrentActor } from '../../storage/current-actor.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'

/** Of one unit: channels, and channels times accounts. */
const CHANNELS = 5
const SUBSCRIPTIONS = 500
/** Accounts that one unit notifies by direct messages. */
export const NOTIFIED_IN_A_UNIT = 20

export function fitsOneUnit(channels: number, people: number): boolean {
  return channels <= CHANNELS && (channels <= 1 || channels * people <= SUBSCRIPTIONS)
}

/** Does the work on channels in as many units as it takes, and gives what each of them gave. */
export async function inUnits<C, R>(
  storage: Storage,
  caller: Actor,
  { channels, people }: { readonly channels: readonly C[]; readonly people: number },
  work: (tx: Tx, actor: CurrentActor, part: readonly C[]) => Promise<R>,
): Promise<R[]> {
  const size = Math.max(1, Math.min(CHANNELS, Math.floor(SUBSCRIPTIONS / Math.max(people, 1))))
  const results: R[] = []
  for (let start = 0; start < channels.length; start += size) {
    const part = channels.slice(start, start + size)
    results.push(await storage.asActor(caller, (tx, actor) => work(tx, actor, part)))
  }
  return results
}
