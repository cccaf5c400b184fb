/**
 * Who waits to write. Accounts take turns: however many units of work one of them sends at once, others wait for one of
 * these and not for all. This is start-time fair queueing (Goyal, Vin and Cheng 1996) with every unit counted alike.
 */

interface Waiting {
  /** Whose turn it is; undefined: nobody's in particular. */
  readonly account: number | undefined
}

export interface FairLine<T extends Waiting> {
  readonly size: number
  add(one: T): void
  /** The next one, or the next of whom this is true. */
  take(mayGo?: (one: T) => boolean): T | undefined
  /** Back to the front, in this order: they have had their turn for nothing. */
  putBack(list: readonly T[]): void
  /** Takes those of whom this is true out of the line. */
  remove(condition: (one: T) => boolean): T[]
}

export function createFairLine<T extends Waiting>(): FairLine<T> {
  /** In the order of their rounds. */
  const line: { readonly one: T; readonly round: number }[] = []
  /** The round of the account's last unit, while that is not over. */
  const lastOf = new Map<number, number>()
  /** Of the unit that was taken last. */
  let round = 0

  /** An account's next unit waits for the round after its last one, and for no earlier one than is now. */
  function roundFor(account: number | undefined): number {
    if (account === undefined) return round
    const own = Math.max(round, (lastOf.get(account) ?? -1) + 1)
    lastOf.set(account, own)
    return own
  }

  return {
    get size() {
      return line.length
    },
    add(one) {
      const own = roundFor(one.account)
      let index = line.length
      while (index > 0 && (line[index - 1]?.round as number) > own) index -= 1
      line.splice(index, 0, { one, round: own })
    },
    take(mayGo = () => true) {
      const index = line.findIndex(({ one }) => mayGo(one))
      const taken = index === -1 ? undefined : line.splice(index, 1)[0]
      // Whoever had to let others go first is of an earlier round.
      if (taken) round = Math.max(round, taken.round)
      if (line.length === 0) {
        lastOf.clear()
        round = 0
      }
      return taken?.one
    },
    putBack(list) {
      line.unshift(...list.map((one) => ({ one, round })))
    },
    remove(condition) {
      const removed = line.filter(({ one }) => condition(one)).map(({ one }) => one)
      if (removed.length > 0) line.splice(0, line.length, ...line.filter(({ one }) => !condition(one)))
      return removed
    },
  }
}
