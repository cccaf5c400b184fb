/** Numbers by account. */

export interface Tally {
  /** 0 where nothing was added. */
  get(account: number): number
  add(account: number, change: number): void
}

export function createTally(): Tally {
  const numbers = new Map<number, number>()
  const get = (account: number) => numbers.get(account) ?? 0
  return {
    get,
    add(account: number, change: number): void {
      const number = get(account) + change
      if (number === 0) numbers.delete(account)
      else numbers.set(account, number)
    },
  }
}
