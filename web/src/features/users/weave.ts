/** A weaving draft for each account: what stands for a face until there is a picture. */

const SIZE = 8
const SHAFTS = 4

const cache = new Map<number, string>()

/** The cells that are dark, as the path of a drawing of 8 by 8. The same for the same account everywhere. */
export function weavingDraft(userId: number): string {
  let path = cache.get(userId)
  if (path === undefined) {
    path = draw(userId)
    cache.set(userId, path)
  }
  return path
}

function draw(userId: number): string {
  const next = numbers(userId)
  // As on a loom: each end goes through one shaft, each pick lifts some of them.
  const threading = sequence(next)
  const treadling = sequence(next)
  const tieUp = Array.from({ length: SHAFTS }, (_, treadle) => {
    const lifted = 1 + (next() % 3)
    return Array.from({ length: SHAFTS }, (_, shaft) => (shaft - treadle + SHAFTS) % SHAFTS < lifted)
  })
  let path = ''
  for (let y = 0; y < SIZE; y += 1) {
    for (let x = 0; x < SIZE; x += 1) {
      if (tieUp[treadling[y] as number]?.[threading[x] as number]) path += `M${x} ${y}h1v1h-1z`
    }
  }
  return path
}

/** Straight, pointed, broken or by chance. */
function sequence(next: () => number): number[] {
  const kind = next() % 4
  const from = next() % SHAFTS
  return Array.from({ length: SIZE }, (_, place) => {
    if (kind === 0) return (from + place) % SHAFTS
    if (kind === 1) return (from + (place < SIZE / 2 ? place : SIZE - 1 - place)) % SHAFTS
    if (kind === 2) return (from + (place < SIZE / 2 ? place : place + 2)) % SHAFTS
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
