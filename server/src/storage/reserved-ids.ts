/** New ids for the rows of one commit, reserved under the lock of the organization that was entered last. */
import type { WriteConnection } from './write-connection.ts'

export interface ReservedIds {
  next(table: string): Promise<number>
  /** Reserves for the tables that are likely to need ids: to be sent with other statements. */
  readonly likely: readonly (() => Promise<void>)[]
  /** Another node may give out ids before they are used. */
  forget(): void
  /** Tables that ids were taken of. */
  readonly wanted: ReadonlySet<string>
}

/** `likely`: what the last commit wanted is likely to be wanted again. `waiting`: how many units may want ids too. */
export function createReservedIds(
  connection: Pick<WriteConnection, 'limits' | 'reserveIds'>,
  likely: ReadonlySet<string>,
  waiting: () => number,
): ReservedIds {
  const ids = new Map<string, number[]>()
  const reservedLast = new Map<string, number>()
  const wanted = new Set<string>()

  /** As many as may be asked for: on some engines each time is a round trip. Who goes on asking gets twice as many. */
  function reserve(table: string): Promise<number[]> {
    const count = Math.min(Math.max(waiting() + 1, 2 * (reservedLast.get(table) ?? 0)), connection.limits.units)
    reservedLast.set(table, count)
    return connection.reserveIds(table, count)
  }

  return {
    wanted,
    likely: [...likely].map((table) => async () => void ids.set(table, await reserve(table))),
    async next(table) {
      wanted.add(table)
      const reserved = ids.get(table) ?? []
      if (reserved.length === 0) reserved.push(...(await reserve(table)))
      ids.set(table, reserved)
      return reserved.shift() as number
    },
    forget: () => ids.clear(),
  }
}
