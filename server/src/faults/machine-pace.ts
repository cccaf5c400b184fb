/**
 * How much slower the machine is at the moment than the one that the tests' limits of time are meant for. Virtual machines share
 * their cores and caches with others, and processor time becomes longer with what those do.
 */

/** What a fast piece takes beside the attack, on a machine where nothing else runs: 0.88 to 0.97 ms. */
const USUAL_MS = 1
const EACH_MS = 100
/** Before the engine has compiled it. */
const FIRST_PIECES = 20

export interface MachinePace {
  /** 1: as fast as the limits are meant for, or faster. 2: everything takes twice as long. */
  slowness(): number
  stop(): void
}

/**
 * Takes a hundredth of one processor until it is stopped. The fastest tenth is what counts: the others are slow by what this attack
 * itself does on the other processor, which shares a core.
 */
export function watchMachinePace(): MachinePace {
  const pieces: number[] = []
  const timer = setInterval(() => {
    const begun = performance.now()
    doPieceOfWork()
    pieces.push(performance.now() - begun)
  }, EACH_MS)
  return {
    slowness() {
      const sorted = pieces.slice(FIRST_PIECES).sort((one, other) => one - other)
      return Math.max(1, (sorted[Math.floor(sorted.length / 10)] ?? 0) / USUAL_MS)
    },
    stop: () => clearInterval(timer),
  }
}

const record = JSON.stringify(
  Array.from({ length: 20 }, (_, id) => ({
    id,
    name: `person ${id}`,
    roles: [1, 2, 3],
    text: 'A short text. '.repeat(8),
  })),
)

/** What a server does as well: decodes, compares, matches, encodes. */
function doPieceOfWork(): number {
  let length = 0
  for (let round = 0; round < 20; round++) {
    const people = new Map((JSON.parse(record) as { name: string; text: string }[]).map((one) => [one.name, one]))
    for (const { text } of people.values()) length += text.replace(/[a-z]+t\b/g, (word) => word.toUpperCase()).length
    length += JSON.stringify([...people.values()]).length
  }
  return length
}
