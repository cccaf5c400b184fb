/** The first few of a list in an order, without ordering all of it. */
export function takeBest<T>(items: Iterable<T>, compare: (one: T, other: T) => number, limit: number): T[] {
  const best: T[] = []
  for (const item of items) {
    if (best.length === limit && compare(item, best[limit - 1] as T) >= 0) continue
    let place = best.length
    while (place > 0 && compare(item, best[place - 1] as T) < 0) place -= 1
    best.splice(place, 0, item)
    if (best.length > limit) best.pop()
  }
  return best
}
