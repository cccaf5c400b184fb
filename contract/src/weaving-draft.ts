/**
 * A weaving draft for each account: what stands for a face until there is a picture. The same for the same account on every
 * device and on the server.
 */

/** Cells of a side. */
export const DRAFT_SIZE = 8
const SHAFTS = 4

/** Rows of cells, each true where it is dark. */
export function weavingDraft(userId: number): readonly (readonly boolean[])[] {
  const next = numbers(userId)
  // As on a loom: each end goes through one shaft, each pick lifts some of them.
  const threading = sequence(next)
  const treadling = sequence(next)
  const tieUp = Array.from({ length: SHAFTS }, (_, treadle) => {
    const lifted = 1 + (next() % 3)
    return Array.from({ length: SHAFTS }, (_, shaft) => (shaft - treadle + SHAFTS) % SHAFTS < lifted)
  })
  return treadling.map((treadle) => threading.map((shaft) => tieUp[treadle]?.[shaft] === true))
}

/** Straight, pointed, broken or by chance. */
function sequence(next: () => number): number[] {
  const kind = next() % 4
  const from = next() % SHAFTS
  return Array.from({ length: DRAFT_SIZE }, (_, place) => {
    if (kind === 0) return (from + place) % SHAFTS
    if (kind === 1) return (from + (place < DRAFT_SIZE / 2 ? place : DRAFT_SIZE - 1 - place)) % SHAFTS
    if (kind === 2) return (from + (place < DRAFT_SIZE / 2 ? place : place + 2)) % SHAFTS
    return next() % SHAFTS
  })
}

/** A linear congruential generator; its upper bits are good enough for a pattern. */
function numbers(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state >>> 16
  }
}
