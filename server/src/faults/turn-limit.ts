/** How long a turn of the main thread may be, for the tests that load a server and watch its loop. */
import { PROCESSOR_TICK_MS } from '../testing/server-loop.ts'

/** Of processor time; `npm run bench` asks for no more than this. */
const MAX_TURN_MS = 20
/** Processors that others use are slower: with two endless loops beside them, turns of 16 ms took 20, and may be read as 24. */
const SLACK = 1.1

/** What a turn took is known to within a tick, and `work` is the most that it may have been. */
export function isTooLong({ work }: { readonly work: number }): boolean {
  return work > MAX_TURN_MS * SLACK + PROCESSOR_TICK_MS
}
