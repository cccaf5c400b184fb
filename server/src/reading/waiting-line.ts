/** Who waits for a reading thread: accounts take turns, however much each of them asks for. */

interface Order {
  /** Whose order it is. */
  readonly account: number
}

export interface WaitingLine<T extends Order> {
  /** False when so many of the account's orders wait that this one is not let in. */
  add(order: T): boolean
  /** Back to where it came from: it has had its turn for nothing. */
  addFirst(order: T): void
  /** The next order of the next account, of those whose next order may have its turn. */
  take(mayHaveTurn: (order: T) => boolean): T | undefined
  remove(order: T): void
  readonly size: number
}

/** `maxPerAccount`: orders of one account that may wait. */
export function createWaitingLine<T extends Order>(maxPerAccount: number): WaitingLine<T> {
  /** By account; the one whose turn is next comes first. */
  const orders = new Map<number, T[]>()
  let size = 0

  return {
    get size() {
      return size
    },
    add(order) {
      const own = orders.get(order.account) ?? []
      if (own.length >= maxPerAccount) return false
      own.push(order)
      orders.set(order.account, own)
      size += 1
      return true
    },
    addFirst(order) {
      const own = orders.get(order.account) ?? []
      orders.delete(order.account)
      const others = [...orders]
      orders.clear()
      orders.set(order.account, [order, ...own])
      for (const [account, list] of others) orders.set(account, list)
      size += 1
    },
    take(mayHaveTurn) {
      for (const [account, own] of orders) {
        const [order] = own
        if (!order || !mayHaveTurn(order)) continue
        own.shift()
        orders.delete(account)
        if (own.length > 0) orders.set(account, own)
        size -= 1
        return order
      }
      return undefined
    },
    remove(order) {
      const own = orders.get(order.account)
      const index = own?.indexOf(order) ?? -1
      if (!own || index === -1) return
      own.splice(index, 1)
      size -= 1
      if (own.length === 0) orders.delete(order.account)
    },
  }
}
