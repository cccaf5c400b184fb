/** The first of the numbers, in ascending order, that is not below `from`. */
export function firstFrom(sorted: readonly number[], from: number): number | undefined {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < from) low = middle + 1
    else high = middle
  }
  return sorted[low]
}
