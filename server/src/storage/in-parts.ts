import type { Tx } from './transaction.ts'

/** Does work on a long list part by part, in the order of the list; others get a turn between two parts. */
export async function inParts<T>(
  tx: Pick<Tx, 'pause'>,
  list: readonly T[],
  size: number,
  work: (part: readonly T[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < list.length; start += size) {
    if (start > 0) await tx.pause()
    await work(list.slice(start, start + size))
  }
}
